import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { incomingBody } from '../../send/journalLine.ts';
import { readEvidence } from './readEvidence.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'gatecheck-'));
});
afterEach(() => rm(dir, { recursive: true }));

it('reads what is wanted, and passes over the rest unread', async () => {
  const path = join(dir, 'evidence.ndjson');
  const lines = [
    '{"type":"exchange","id":"x1","durationMs":1}',
    '{"type":"exchange","id":"x2",broken',
    '{"type":"event","name":"x3"}',
    '{"type":"delivery","id":"c1","answer":"204"}',
  ];
  await writeFile(path, lines.join('\n'));
  const { byId: found } = await readEvidence(path, new Set(['x1', 'c1', 'x9']));
  expect([...found.keys()]).toEqual(['x1', 'c1']);
  expect(found.get('c1')).toMatchObject({ answer: '204' });
});

it('shows what it could read of a journal that is cut off or absent', async () => {
  const path = join(dir, 'evidence.ndjson');
  await writeFile(path, '{"type":"exchange","id":"x1"}\n{"type":"exchange","id":"x2","requ');
  expect([...(await readEvidence(path, new Set(['x1', 'x2']))).byId.keys()]).toEqual(['x1']);
  await writeFile(path, '{"type":"exchange","id":"x1","requ\n{"type":"exchange","id":"x2"}');
  expect([...(await readEvidence(path, new Set(['x1', 'x2']))).byId.keys()]).toEqual(['x2']);
  expect((await readEvidence(join(dir, 'nowhere'), new Set(['x1']))).byId.size).toBe(0);
});

it('adds up how long each check took', async () => {
  const path = join(dir, 'evidence.ndjson');
  const line = (id: string, check: string, at: string, durationMs: number) =>
    JSON.stringify({ type: 'exchange', id, check, operation: null, startedAt: at, durationMs });
  await writeFile(
    path,
    [
      line('x1', 'a', '2026-01-31T10:00:01.000Z', 500),
      line('x2', 'b "quoted"', '2026-01-31T10:00:00.000Z', 1.5),
      line('x3', 'a', '2026-01-31T10:00:00.000Z', 100),
    ].join('\n'),
  );
  const { times } = await readEvidence(path, new Set());
  const start = Date.parse('2026-01-31T10:00:00.000Z');
  expect([...times]).toEqual([
    ['a', { requests: 2, startMs: start, endMs: start + 1500, busyMs: 600 }],
    ['b "quoted"', { requests: 1, startMs: start, endMs: start + 1.5, busyMs: 1.5 }],
  ]);
});

it('cuts long bodies where it is asked to, and no others', async () => {
  const path = join(dir, 'evidence.ndjson');
  const line = (id: string, text: string) =>
    JSON.stringify({
      type: 'exchange',
      id,
      request: { body: null },
      response: { status: 200, body: { text } },
    });
  await writeFile(path, [line('x1', 'short'), line('x2', 'y'.repeat(300))].join('\n'));
  const bodies = async (most?: number) =>
    [...(await readEvidence(path, new Set(['x1', 'x2']), most)).byId.values()].map(incomingBody);
  expect(await bodies()).toEqual([{ text: 'short' }, { text: 'y'.repeat(300) }]);
  expect(await bodies(10)).toEqual([{ text: 'short' }, { text: 'yyyyyyyyyy… (300 characters in all)' }]);
});
