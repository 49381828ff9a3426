import { type Mix, mixes } from './payloads.ts';
import type { Candidate, Figures } from './figures.ts';

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
      if (request) await exchange({ ...request, body: request.body && Buffer.from(request.body) });
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}
