import type { ApiRequest } from '../src/send/request.ts';
import { mixes, type Mix } from './payloads.ts';

/** A way to make exchanges, to be measured alone in a process: `node bench/candidate.ts NAME MIX URL WARM-UP COUNT`. */
export interface Candidate {
  readonly exchange: (request: ApiRequest) => Promise<void>;
  readonly finish: () => Promise<Judged>;
}

/** What became of the exchanges: zeros where nobody judges. */
export interface Judged {
  readonly judgements: number;
  readonly violations: number;
}

export interface Figures extends Judged {
  readonly exchanges: number;
  /** CPU time of this process for one exchange after the warm-up, user and system, in microseconds. */
  readonly cpuMicros: number;
  /** Highest resident memory of this process, in bytes. */
  readonly peakMemory: number;
}

/** Requests in flight, as many as a run has checks side by side. */
const width = 8;

const [name = '', mix = '', url = '', warmUp = '0', count = '0'] = process.argv.slice(2);
const requests = mixes[mix as Mix].map(({ request }) => request);
const candidate =
  name === 'engine'
    ? await (await import('./engine.ts')).createEngine(url)
    : (await import('./bare.ts')).createBare(url);
process.stdout.write(JSON.stringify(await measure(candidate, Number(warmUp), Number(count))));
process.exit();

async function measure({ exchange, finish }: Candidate, before: number, exchanges: number): Promise<Figures> {
  await drive(exchange, before);
  const start = process.cpuUsage();
  await drive(exchange, exchanges);
  const { user, system } = process.cpuUsage(start);
  const judged = await finish();
  return {
    ...judged,
    exchanges: before + exchanges,
    cpuMicros: (user + system) / exchanges,
    peakMemory: process.resourceUsage().maxRSS * 1024,
  };
}

/** Sends the requests of the mix in turn, `width` at a time; each is new to the engine, as in a run. */
async function drive(exchange: Candidate['exchange'], count: number): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const request = requests[next++ % requests.length];
      if (request) await exchange({ ...request });
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}
