import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VirtualClock } from '../core/virtualClock.ts';
import { KeyRing } from './keyRing.ts';
import { keepPace, recallPace } from './paceMemory.ts';
import { Pacer } from './pacer.ts';

const start = Date.UTC(2026, 6, 1);
const limits = [
  { limit: 2, windowMs: 60_000 },
  { limit: 5, windowMs: 3_600_000 },
];
const keys = KeyRing.of({ primary: ['s3cret-one', 's3cret-two'], other: [], special: {} }).primary;

async function file(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'gatecheck-pace-')), 'reports', '.pace.json');
}

/** A run that begins at some time, sends as many requests as it is told, and keeps its pace. */
async function run(path: string, at: number, requests: number): Promise<{ waitedMs: number }> {
  const clock = new VirtualClock(at);
  const pacer = new Pacer({ clock, limits });
  await recallPace(path, pacer, keys, clock);
  for (let index = 0; index < requests; index += 1) (await pacer.acquire(keys.slice(0, 1))).done();
  await keepPace(path, pacer, keys, clock);
  return { waitedMs: clock.monotonic() };
}

test('a run waits for what the run before it sent with the same key', async () => {
  const path = await file();
  expect(await run(path, start, 2)).toEqual({ waitedMs: 0 });
  expect(await run(path, start + 10_000, 1)).toEqual({ waitedMs: 51_000 });
  expect(await run(path, start + 300_000, 2)).toEqual({ waitedMs: 0 });
  // The hour holds five: the sixth waits for the first of all.
  expect(await run(path, start + 600_000, 1)).toEqual({ waitedMs: 3_601_000 - 600_000 });
});

test('no key stands in the file, only a hash of it, and nothing of keys that sent nothing', async () => {
  const path = await file();
  await run(path, start, 1);
  const text = await readFile(path, 'utf8');
  expect(text).not.toContain('s3cret');
  expect(Object.keys(JSON.parse(text) as object)).toHaveLength(1);
  expect(await readdir(join(path, '..'))).toEqual(['.pace.json']);
});

test('what is older than an hour is dropped, of other keys as well', async () => {
  const path = await file();
  await run(path, start, 1);
  await run(path, start + 7_200_000, 0);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({});
});

test('a wall clock that was set back costs at most one window', async () => {
  const path = await file();
  await run(path, start, 2);
  expect(await run(path, start - 86_400_000, 1)).toEqual({ waitedMs: 61_000 });
});

test.each(['', 'null', '[]', '42', '{', '{"a":1}', '{"a":["x",null]}'])(
  'a file that holds %j is as good as none',
  async (text) => {
    const path = await file();
    await run(path, start, 0);
    await writeFile(path, text);
    expect(await run(path, start, 2)).toEqual({ waitedMs: 0 });
  },
);

test('a file that cannot be written costs the memory, not the run', async () => {
  expect(await run('/dev/null/reports/.pace.json', start, 1)).toEqual({ waitedMs: 0 });
});
