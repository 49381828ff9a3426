import { expect, test } from 'vitest';
import { VirtualClock } from '../../core/virtualClock.ts';
import { clockNotice } from './clockNotice.ts';
import { ServerClock } from './serverClock.ts';

const minute = 60_000;

test.each<[what: string, movedMinutes: number, toldMinutes: number | null, text: string | null]>([
  ['clocks that agree', 0, 0.4, null],
  ['a clock that was started anew', 160, 0, null],
  [
    'a clock that is behind',
    0,
    -90,
    "The target's clock is 1 h 30 min behind this machine's, and times are judged by it. Set one of the two clocks by NTP.",
  ],
  [
    'a clock that was moved',
    160,
    160,
    "The target's clock is 2 h 40 min ahead of this machine's, and times are judged by it: its state handler moved it (clock.advance). A restart of the target may set it back. Later runs know it from FILE.",
  ],
  [
    'a clock that doctor moved',
    1,
    1,
    "The target's clock is 1 min ahead of this machine's, and times are judged by it: its state handler moved it (clock.advance). A restart of the target may set it back. Later runs know it from FILE.",
  ],
  [
    'a clock that is further off than it was moved',
    1,
    4,
    "The target's clock is 4 min ahead of this machine's, and times are judged by it. Set one of the two clocks by NTP.",
  ],
  [
    'a clock that may have been moved',
    160,
    null,
    "No answer shows for sure what time it is for the target: its clock may be that of this machine or 2 h 40 min ahead of this machine's. Its state handler moved it by 2 h 40 min before. Times are judged by all of these.",
  ],
])('%s', (_what, moved, told, text) => {
  const clock = new ServerClock(new VirtualClock(0), { movedMs: moved * minute });
  if (told !== null) clock.set(told * minute);
  expect(clockNotice(clock, 'FILE')).toBe(text);
});
