import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { GatecheckError } from '../../core/errors.ts';
import { readJournal } from './readJournal.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = '2026-11-24T10:00:00.000Z';
const settings = {
  ...{ apis: ['webcheckin'], profile: 'smoke', seed: 1, shard: null, only: [], openPoints: {}, require: [] },
  ...{ minMust: null, strict: false, readOnly: false, fresh: false, share: 1, budgets: {} },
};
const data = {
  ...{ runId: 'r1', startedAt: Date.parse(at), command: 'gatecheck run', capabilities: [], booked: [] },
  ...{ target: { kind: 'url', baseUrls: { webcheckin: 'http://127.0.0.1:1' } }, settings },
};
const head = { type: 'event', at, name: 'head', data };
const request = { method: 'GET', url: 'http://127.0.0.1:1/x', headers: [['A', 'b']], body: null };
const names = { check: 'c', operation: 'wci.list', enterprise: 'primary', key: 'primary#1' };
const response = { status: 200, headers: [], body: { text: '{}' }, truncated: false };
const exchange = {
  ...{ type: 'exchange', id: 'x1', ...names, startedAt: at, durationMs: 5, request, response, failure: null },
};
const sending = { type: 'sending', id: 'x2', ...names, operation: 'wci.subscribe', startedAt: at, request };

function read(content: string | Uint8Array) {
  const path = join(folder, 'evidence.ndjson');
  writeFileSync(path, content);
  return readJournal(path, []);
}

const linesOf = (...lines: readonly unknown[]) => lines.map((line) => JSON.stringify(line)).join('\n');

function refusal(content: string | Uint8Array): Promise<string> {
  return refusalOf(read(content));
}

async function refusalOf(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof GatecheckError)) throw new Error(`expected a refusal; got ${String(error)}`);
  expect(error.exitCode).toBe(2);
  return error.message;
}

describe('the journal of a killed run', () => {
  test('counts what was sent, and what may have been', async () => {
    const killed = await read(`${linesOf(head, exchange, sending)}\n{"type":"exchange","id":"x3`);
    expect([killed?.head.runId, killed?.conduct.requests]).toEqual(['r1', 2]);
  });

  test.each([
    ['twice', [exchange, sending, exchange, sending]],
    ['in another order', [sending, exchange, { ...sending, id: 'x1' }]],
    ['behind a mark that editors write', [exchange, sending]],
  ])('counts lines once that are there %s', async (how, lines) => {
    const killed = await read(`${how.startsWith('behind') ? '\uFEFF' : ''}${linesOf(head, ...lines)}`);
    expect([killed?.conduct.requests, killed?.conduct.sideEffects.length]).toEqual([2, 2]);
  });

  test('is refused where it holds two runs, and goes on where one was resumed', async () => {
    const other = { ...head, data: { ...data, runId: 'r2' } };
    expect(await refusal(linesOf(head, exchange, other, sending))).toMatch(
      /of one run .*got lines of 2: r1, r2/,
    );
    const killed = await read(linesOf(head, exchange, head, sending));
    expect(killed?.conduct.requests).toBe(2);
  });

  test('shows what the limit checks found', async () => {
    const limiter = {
      ...{
        title: 'Minute limit',
        limit: 60,
        windowMs: 60_000,
        model: 'rolling-log',
        name: 'rolling log of 60',
      },
      ...{ documented: true, contradictions: [], notTried: [] },
    };
    const found = { limiter, models: [], timelines: [] };
    const killed = await read(linesOf(head, { type: 'event', at, name: 'limits', data: found }, exchange));
    expect(killed?.conduct.limits).toEqual([found]);
  });

  test('is refused where it is a folder', async () => {
    expect(await refusalOf(readJournal(folder, []))).toMatch(/to be a file; got a folder at/);
  });

  test('is none where the run was killed before its head was written', async () => {
    expect(await read('')).toBe(null);
    expect(await read(JSON.stringify(head).slice(0, 100))).toBe(null);
    expect(await read('{"ty')).toBe(null);
  });

  test.each<[what: string, line: unknown]>([
    ['no object', null],
    ['a number', 5],
    ['a list', []],
    ['without anything', {}],
    ['an exchange alone', { type: 'exchange' }],
    ['an id that is no text', { ...exchange, id: 7 }],
    ['no request', { ...exchange, request: undefined }],
    ['headers that are none', { ...exchange, request: { ...request, headers: 'a' } }],
    ['a time that is none', { ...exchange, startedAt: 'soon' }],
    ['an answer without a status', { ...exchange, response: {} }],
    ['violations that are no list', { ...exchange, violated: 5 }],
    ['a note without a request', { type: 'sending', id: 'x9' }],
    ['a delivery alone', { type: 'delivery' }],
    ['an event without data', { type: 'event', at, name: 'outcome', data: null }],
    ['limits of another version', { type: 'event', at, name: 'limits', data: { limiter: 'x' } }],
    ['an outcome of another version', { type: 'event', at, name: 'outcome', data: { check: 'c' } }],
  ])('passes over a line that is damaged: %s', async (_what, line) => {
    const killed = await read(linesOf(head, line, exchange));
    expect([killed?.conduct.requests, killed?.settled, killed?.lastAt]).toEqual([1, [], Date.parse(at) + 5]);
  });

  test('is refused without its head: nobody is told that nothing was sent', async () => {
    expect(await refusal(linesOf(exchange, sending))).toContain('2 lines without the head of a run');
  });

  test('is refused if another version wrote it', async () => {
    const other = { ...head, data: { ...data, settings: { ...settings, profile: 'thorough' } } };
    expect(await refusal(linesOf(other, exchange))).toContain(
      'settings.profile is missing or of another kind',
    );
  });

  test('is refused if it is none at all', async () => {
    expect(await refusal(randomBytes(100_000))).toContain('no line that can be read');
    expect(await refusal('<html>Sign in</html>\n')).toContain('no line that can be read');
  });
});
