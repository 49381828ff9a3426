import { mkdtempSync, readdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { defects } from '../src/reference/defects.ts';
import { startReference } from '../src/reference/startReference.ts';
import { readResult } from '../src/report/readResult.ts';
import { commandLine } from './support/commandLine.ts';
import { freePort } from './support/freePort.ts';

// Every command that sends, against servers that answer everything alike: each ends by itself, with the right exit code and a sentence.

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const json = { 'content-type': 'application/json' };
const page = { 'content-type': 'text/html' };
const refused = (more: object): Answer => ({
  status: 429,
  headers: json,
  body: JSON.stringify({ success: false, error: 'RATE_LIMITED', message: 'slow down', ...more }),
});

/** What a server answers, and what of it has to be told; null for a closed connection. */
const answers: Readonly<Record<string, readonly [answer: Answer | null, told: RegExp]>> = {
  '502 with a page': [
    { status: 502, headers: page, body: '<html>Bad gateway</html>' },
    /HTTP 502 with an HTML page/,
  ],
  '503 with a page': [
    { status: 503, headers: page, body: '<html>Down</html>' },
    /HTTP 503 with an HTML page/,
  ],
  '500 as JSON': [
    { status: 500, headers: json, body: '{"success":false,"error":"INTERNAL_ERROR","message":"x"}' },
    /HTTP 500|server error|a budget ended the run/,
  ],
  '429 as text': [
    { status: 429, headers: { 'content-type': 'text/plain' }, body: 'slow down' },
    /rate limit/,
  ],
  '429 with a message': [
    { status: 429, headers: json, body: '{"message":"Too Many Requests"}' },
    /rate limit/,
  ],
  '429 until a date': [
    { ...refused({}), headers: { ...json, 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' } },
    /rate limit/,
  ],
  '429 for ages': [refused({ retryAfter: 1e9 }), /rate limit/],
  '429 for ever': [{ ...refused({}), body: '{"success":false,"retryAfter":1e400}' }, /rate limit/],
  '429 until before': [refused({ retryAfter: -5 }), /rate limit/],
  '429 until soon': [refused({ retryAfter: 'soon' }), /rate limit/],
  '429 for no time': [refused({ retryAfter: 0 }), /rate limit/],
  '401 for all': [
    { status: 401, headers: json, body: '{"success":false,"error":"Invalid API key","message":"x"}' },
    /401/,
  ],
  'a redirect to a login': [
    { status: 302, headers: { location: 'https://login.example.com' } },
    /It redirects to/,
  ],
  'a login page': [{ headers: page, body: '<html>Log in</html>' }, /not this API/],
  'an empty answer': [{ headers: json, body: '' }, /not this API/],
  'no content': [{ status: 204 }, /not this API/],
  'a reset connection': [null, /other side closed|ECONNRESET|no answer/],
};

const key = 'k-0123456789';
const env = { GATECHECK_KEYS_PRIMARY: `${key},k-abcdefghij`, GATECHECK_KEY_REVOKED: 'k-revoked-1' };
const folderOf = () => mkdtempSync(join(tmpdir(), 'gatecheck-hostile-'));

/** What the API answers to reads of somebody who has nothing. */
function emptyAnswer({ url = '' }: IncomingMessage): Answer {
  return url.includes('webcheckin')
    ? {
        headers: json,
        body: '{"success":true,"data":[],"pagination":{"page":0,"limit":1,"total":0,"totalPages":0}}',
      }
    : {
        status: 404,
        headers: json,
        body: '{"success":false,"error":"FLIGHT_NOT_FOUND","message":"no such flight"}',
      };
}

/** A server that answers everything alike, after some answers of the API. */
async function openServer(answer: Answer | null, good = 0) {
  let requests = 0;
  const take = (request: IncomingMessage, response: ServerResponse) => {
    requests += 1;
    request.resume();
    const given = requests <= good ? emptyAnswer(request) : answer;
    if (given === null) request.socket.destroy();
    else response.writeHead(given.status ?? 200, { ...given.headers }).end(given.body);
  };
  const server = createServer(take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A finding of a run and one of a load, to be sent again. */
let stored: { readonly run: readonly string[]; readonly load: readonly string[] };

beforeAll(async () => {
  const policy = Object.assign(
    {},
    ...defects
      .filter(({ id }) => ['status-alias-unknown', 'status-with-mark'].includes(id))
      .map((one) => one.policy),
  ) as object;
  await using reference = await startReference({ policy });
  const folder = folderOf();
  const made = { folder, env: { GATECHECK_KEYS_PRIMARY: reference.keys.primary.join(',') } };
  const common = ['--quiet', '--target', reference.url, '--max-quota', '20', '--report-dir'];
  await commandLine(['limits', '--only', 'WCI-STS-002', ...common, join(folder, 'run')], made);
  const few = ['--mix', 'wci.status=1', '--rate', '5/s', '--duration', '1s'];
  await commandLine(['load', ...few, ...common, join(folder, 'load')], made);
  const replayOf = async (name: string) => {
    const { findings } = await readResult(join(folder, name, 'result.json'));
    return ['replay', findings[0]?.fingerprint ?? '', '--from', join(folder, name)];
  };
  stored = { run: await replayOf('run'), load: await replayOf('load') };
});

/** Command lines, and the exit codes other than 3: with 1 a rule is broken, such as that a 429 says how long to wait. */
const commands: readonly (readonly [
  name: string,
  args: (url: string) => readonly string[],
  codes: readonly number[],
  good: number,
])[] = [
  ['doctor', () => ['doctor'], [], 0],
  ['doctor, with a state handler there', (url) => ['doctor', '--state-handler', `${url}/_state`], [], 0],
  ['doctor, after the first answers', () => ['doctor'], [], 3],
  ['load', () => ['load', '--rate', '5/s', '--duration', '1s'], [1], 0],
  ['limits', () => ['limits', '--max-duration', '8s'], [1], 0],
  ['monitor', () => ['monitor', '--rounds', '1'], [1], 0],
  ['replay of a run', () => stored.run, [], 0],
  ['replay of a load', () => stored.load, [], 0],
];

test.each(commands)('%s', { timeout: 240_000 }, async (_name, args, codes, good) => {
  const ends = Object.entries(answers).map(async ([name, [answer, told]]) => {
    await using server = await openServer(answer, good);
    const ended = await commandLine([...args(server.url), '--target', server.url], {
      folder: folderOf(),
      env,
    });
    const text = ended.stdout + ended.stderr;
    return [
      name,
      faultsOf({ ...ended, text, told, codes: [3, ...codes], requests: server.requests() }),
    ] as const;
  });
  expect((await Promise.all(ends)).filter(([, faults]) => faults.length > 0)).toEqual([]);
});

test('limits waits for no window of a server that answers nothing but 500', { timeout: 60_000 }, async () => {
  await using server = await openServer(answers['500 as JSON']?.[0] ?? null);
  const ended = await commandLine(['limits', '--target', server.url], { folder: folderOf(), env });
  expect([ended.code, server.requests() < 10]).toEqual([3, true]);
  expect(ended.stdout + ended.stderr).toContain(
    'each read was answered with HTTP 500, so that no limit can show',
  );
});

interface Ended {
  readonly code: number | null;
  readonly text: string;
  readonly told: RegExp;
  readonly codes: readonly number[];
  readonly requests: number;
}

function faultsOf({ code, text, told, codes, requests }: Ended): readonly string[] {
  return [
    ...(codes.includes(code ?? -1) ? [] : [`exit code ${code}: ${text.slice(-400)}`]),
    ...(/Gatecheck itself failed|\n\s+at /.test(text) ? ['a fault of Gatecheck'] : []),
    ...(told.test(text) ? [] : [`nothing is told of ${String(told)}: ${text}`]),
    ...(requests > 60 ? [`${requests} requests`] : []),
  ];
}

test('plan sends nothing', async () => {
  await using server = await openServer(null);
  const { code } = await commandLine(['plan', '--quiet', '--target', server.url], {
    folder: folderOf(),
    env,
  });
  expect([code, server.requests()]).toEqual([0, 0]);
});

test('dev waits for the server to restart', { timeout: 120_000 }, async () => {
  const ends = Object.entries(answers).map(async ([name, [answer, told]]) => {
    await using server = await openServer(answer);
    const until = /waiting for the server to restart/;
    const place = { folder: folderOf(), env, until };
    const { code, stdout, stderr } = await commandLine(['dev', '--target', server.url], place);
    return [name, code, told.test(stdout + stderr)] as const;
  });
  expect((await Promise.all(ends)).filter(([, code, isTold]) => code !== 130 || !isTold)).toEqual([]);
});

test('proxy passes it on, and judge judges what passed', { timeout: 120_000 }, async () => {
  const ends = Object.entries(answers).map(async ([name, [answer]]) => {
    await using server = await openServer(answer);
    const [folder, port] = [folderOf(), await freePort()];
    const options = ['--listen', `127.0.0.1:${port}`, '--max-duration', '8s'];
    const proxying = commandLine(['proxy', '--target', server.url, ...options], { folder, env });
    const path = `http://127.0.0.1:${port}/extPartner/api/webcheckin/requests`;
    const ask = () => fetch(path, { headers: { 'x-api-key': key }, redirect: 'manual' });
    await expect
      .poll(
        () =>
          ask().then(
            () => true,
            () => server.requests() > 0,
          ),
        { timeout: 7_000 },
      )
      .toBe(true);
    const { code } = await proxying;
    const [run = ''] = readdirSync(join(folder, 'reports')).filter((one) => one !== 'latest');
    const judged = await commandLine(['judge', join(folder, 'reports', run, 'evidence.ndjson')], {
      folder,
      env: {},
    });
    return [name, code, judged.code] as const;
  });
  const unexpected = (await Promise.all(ends)).filter(([, ...codes]) =>
    codes.some((code) => code === null || ![0, 1, 3].includes(code)),
  );
  expect(unexpected).toEqual([]);
});
