import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/core/clock.ts';
import { Redactor } from '../../src/core/redact.ts';
import { Inbox, tokensFrom } from '../../src/receive/inbox.ts';
import { openSinkServer } from '../../src/receive/sinkServer.ts';
import { openJournal } from '../../src/send/journal.ts';

// A server that takes callbacks, in a process of its own: `fork('server.ts', ['bare' | 'sink'])`. Tells its address, and at
// 'end' what it kept and what that took.

/** What a server of callbacks came to. */
export interface ServerFigures {
  /** Callbacks that stand in the journal, as read back from the disk; those that were answered where there is none. */
  readonly kept: number;
  /** CPU time since 'start', user and system, in microseconds. */
  readonly cpuMicros: number;
  /** Highest resident memory, in bytes. */
  readonly peakMemory: number;
}

interface Candidate {
  readonly url: string;
  /** Ends it; resolves to the callbacks that it kept. */
  readonly finish: () => Promise<number>;
}

let start = process.cpuUsage();
const candidate = process.argv[2] === 'sink' ? await openSink() : await openBare();
process.on('message', (message) => {
  if (message === 'start') start = process.cpuUsage();
  else void end();
});
process.send?.(candidate.url);

async function end(): Promise<void> {
  const { user, system } = process.cpuUsage(start);
  const peakMemory = process.resourceUsage().maxRSS * 1024;
  const figures: ServerFigures = { kept: await candidate.finish(), cpuMicros: user + system, peakMemory };
  process.send?.(figures, () => process.exit());
}

/** What there is to compare with: it only answers. */
async function openBare(): Promise<Candidate> {
  let answered = 0;
  const server = createServer((request, response) => {
    request.resume();
    answered += 1;
    response.writeHead(200, { 'content-length': 0 });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    finish: () => Promise.resolve(answered),
  };
}

/** The sink as a run has it: every callback is attributed, redacted and written to a journal on disk. */
async function openSink(): Promise<Candidate> {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-bench-'));
  const file = join(folder, 'evidence.ndjson');
  const redactor = new Redactor();
  for (let index = 0; index < 16; index += 1)
    redactor.add(`gc_bench_callback_key_${index}`, `callback key ${index}`);
  const journal = openJournal(file, redactor);
  const inbox = new Inbox({ clock: systemClock, newToken: tokensFrom('bench') });
  const mailboxes = Array.from({ length: 16 }, () => inbox.open());
  inbox.listen((delivery) => {
    journal.delivery(delivery, []);
    return journal.drained();
  });
  const server = await openSinkServer({
    inbox,
    clock: systemClock,
    host: '127.0.0.1',
    port: 0,
    certificate: null,
  });
  return {
    url: `${server.url}/${mailboxes[0]?.token ?? ''}`,
    finish: async () => {
      await server.close();
      await journal.close();
      const lines = countLines(readFileSync(file));
      rmSync(folder, { recursive: true });
      return lines === inbox.arrived ? lines : Number.NaN;
    },
  };
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}
