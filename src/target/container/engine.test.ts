import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isAbandoned, labelsOf } from './engine.ts';

const now = 1_800_000_000_000;
const own = labelsOf('r1', now);
const ended = String(spawnSync(process.execPath, ['-e', '']).pid);
const daysLater = now + 2 * 24 * 3_600_000;

test.each([
  ['of a process that runs', own, now, false],
  ['of a process that runs for days', own, daysLater, false],
  ['of a process that has ended', { ...own, 'gatecheck.process': `${ended}:` }, now, true],
  [
    'of an earlier process with the same number',
    { ...own, 'gatecheck.process': `${process.pid}:1` },
    now,
    true,
  ],
  ['of another machine', { ...own, 'gatecheck.host': `not-${hostname()}` }, now + 60_000, false],
  ['of another machine, of days ago', { ...own, 'gatecheck.host': `not-${hostname()}` }, daysLater, true],
])('what is left %s', (_what, labels, at, abandoned) => {
  expect(isAbandoned(labels, at)).toBe(abandoned);
});
