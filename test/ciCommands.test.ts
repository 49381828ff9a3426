import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunResult } from '../src/report/result.ts';
import { commandsIn } from './support/ciCommands.ts';
import { gatecheck, type Ended } from './support/gatecheck.ts';

const forged = [
  '\n::stop-commands::x\n',
  '\r  ::error::forged\r',
  '##[error]forged',
  '##vso[task.complete result=Succeeded]forged',
  "##teamcity[buildStatus status='SUCCESS']forged",
].join(' text ');

const members = { success: forged, error: forged, message: forged, checkin_id: forged, [forged]: forged };

/** Answers everything as a server may that wants to be believed by a CI service: bodies as JSON and as text. */
const hostile = createServer((request, response) => {
  request.resume();
  request.on('end', () => (request.url?.includes('status') ? answerText(response) : answerJson(response)));
});

function answerJson(response: ServerResponse): void {
  const status = forged.replace(/[\r\n]+/g, ' ');
  response.writeHead(200, status, { 'content-type': 'application/json', 'x-note': `::error::${status}` });
  response.end(JSON.stringify({ ...members, data: [members], pagination: members }));
}

function answerText(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain ##[error]forged' }).end(forged);
}

let url = '';
let failed: Ended;

beforeAll(async () => {
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
  failed = await told(['run', '--profile', 'smoke', '--report-dir', 'out', '--verbose']);
});
afterAll(() => hostile.close());

/** What a job of GitHub prints: one line of Gatecheck against the hostile server. */
async function told(args: readonly string[], meanwhile?: (child: ChildProcess) => void): Promise<Ended> {
  const env = {
    GITHUB_ACTIONS: 'true',
    CI: 'true',
    GATECHECK_TARGET: url,
    GATECHECK_KEYS_PRIMARY: 's3cret-key-1',
  };
  const ended = await gatecheck(args, { env, ...(meanwhile && { meanwhile }) });
  expect(ended.code === 2 ? ended.stderr : '').toBe('');
  return ended;
}

function forgedIn({ stdout, stderr }: Ended): readonly string[] {
  const own = /^::(?:error|warning) title=/;
  return commandsIn(`${stdout}\n${stderr}`).filter((line) => !own.test(line));
}

test('a run annotates the job, and nothing else that it prints is a command', () => {
  expect(failed.stdout).toMatch(/^::error title=/m);
  expect(failed.stdout + failed.stderr).toMatch(/\\u003astop-commands|\\u005berror/);
  expect(forgedIn(failed)).toEqual([]);
});

test.each([
  { name: 'the events of a run', args: ['run', '--profile', 'smoke', '--json'] },
  { name: 'plan', args: ['plan'] },
  { name: 'doctor', args: ['doctor'] },
  { name: 'limits', args: ['limits', '--max-requests', '10'] },
  { name: 'load', args: ['load', '--rate', '20/s', '--duration', '1s'] },
  { name: 'load --json', args: ['load', '--rate', '20/s', '--duration', '1s', '--json'] },
  { name: 'monitor', args: ['monitor', '--rounds', '1'] },
])('nothing that $name shows is a command', async ({ args }) => {
  expect(forgedIn(await told(args))).toEqual([]);
});

test.each([
  { name: 'judge', args: ['judge', 'out/evidence.ndjson'] },
  { name: 'report', args: ['report', 'out'] },
  { name: 'diff', args: ['diff', 'out', 'out'] },
  { name: 'matrix', args: ['matrix', 'out', 'out'] },
])('nothing that $name shows of an earlier run is a command', async ({ args }) => {
  const inFolder = args.map((arg) => (arg.startsWith('out') ? join(failed.folder, arg) : arg));
  expect(forgedIn(await told(inFolder))).toEqual([]);
});

test('nothing that a replay shows is a command', async () => {
  const from = join(failed.folder, 'out');
  const { findings } = JSON.parse(readFileSync(join(from, 'result.json'), 'utf8')) as RunResult;
  expect(forgedIn(await told(['replay', findings[0]?.fingerprint ?? '', '--from', from]))).toEqual([]);
});

test('nothing that a proxy or a sink shows of the traffic is a command', async () => {
  const proxied = await told(['proxy', '--target', url, '--listen', '127.0.0.1:0', '--no-page'], (child) =>
    use(child, (address) => fetch(`${address}/extPartner/api/webcheckin/requests?limit=%23%23[error]`)),
  );
  const received = await told(['sink', '--sink-listen', '127.0.0.1:0', '--no-page'], (child) =>
    use(child, (address) => fetch(`${address}/##[x]`, { method: 'POST', body: JSON.stringify(members) })),
  );
  expect([proxied, received].map(({ stdout, stderr }) => `${stdout}${stderr}`.length > 0)).toEqual([
    true,
    true,
  ]);
  expect([...forgedIn(proxied), ...forgedIn(received)]).toEqual([]);
});

/** Sends to the first address that a child prints, and then ends the child. */
function use(child: ChildProcess, send: (address: string) => Promise<unknown>): void {
  let printed = '';
  let used = false;
  const look = (chunk: Buffer) => {
    const address = /https?:\/\/127\.0\.0\.1:\d+[\w/-]*/.exec(
      (printed += chunk.toString()).replaceAll(url, ''),
    )?.[0];
    if (address === undefined || used) return;
    used = true;
    void send(address)
      .catch(() => undefined)
      .finally(() => setTimeout(() => child.kill('SIGINT'), 500));
  };
  child.stdout?.on('data', look);
  child.stderr?.on('data', look);
}
