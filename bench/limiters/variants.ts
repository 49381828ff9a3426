import { defects } from '../../src/reference/defects.ts';
import type { Policy } from '../../src/reference/policy.ts';
import {
  epochWindow,
  firstRequestWindow,
  rollingLog,
  weightedWindows,
} from '../../src/reference/shared/windowCounters.ts';
import { behind, bucket, countedLate, forgetful, sized, spread } from '../../test/support/limitCounters.ts';

/** A limiter of the reference, with the name that it is to be called by. */
export interface Variant {
  readonly title: string;
  /** What it may be called; more than one name where a slow network leaves room, or it cannot be known. */
  readonly names: readonly (string | ((name: string) => boolean))[];
  readonly policy: (play: Play) => Partial<Policy>;
  /** Answers leave one a second, and none is refused while fewer than this wait. */
  readonly queued?: number;
  /** It starts so long before midnight UTC, in milliseconds. */
  readonly beforeMidnightMs?: number;
  /** Rows of which one has to fail; none for what conforms. */
  readonly fails: readonly string[];
}

/** One run of a variant. */
interface Play {
  /** The deployment's time at the first request. */
  readonly start: number;
  readonly random: () => number;
}

/** The policy of a seeded mistake. */
export function of(id: string): Partial<Policy> {
  const defect = defects.find((one) => one.id === id);
  if (!defect) throw new Error(`the reference has no defect ${id}`);
  return defect.policy;
}

const none = (name: string) => name.startsWith('none of the known limiters: ');
const counting = (name: string) => /^rolling log of 60 that counts at least (0\.\d|1) s late$/.test(name);
const lasting = (seconds: number) => (name: string) => {
  const [, from, to = from] = /^rolling log of 60 in (\d+)(?: to (\d+))? s$/.exec(name) ?? [];
  return Number(from) <= seconds && seconds <= Number(to);
};
const waiting = (most: number) => (name: string) => {
  const upTo = Number(/^leaky bucket as a queue of 60 a minute, in which up to (\d+) wait$/.exec(name)?.[1]);
  return upTo >= most && upTo <= most + 2;
};

/** Whether a bucket is called so, with ranges that hold the true numbers and say something. */
function bucketOf(burst: number, refill: number, rest = ''): (name: string) => boolean {
  const holds = (value: number, low: unknown, high: unknown) => Number(low) <= value && value <= Number(high);
  const mostBurst = burst + Math.max(4, 0.2 * burst);
  const closed = /^token bucket of (\d+)(?: to (\d+))? that refills (\d+)(?: to (\d+))? a minute(.*)$/;
  const open = /^token bucket of up to (\d+) that refills (\d+) or more a minute(.*)$/;
  return (name) => {
    const [, from, to = from, least, most = least, tail] = closed.exec(name) ?? [];
    if (from !== undefined)
      return holds(burst, from, to) && Number(to) <= mostBurst && holds(refill, least, most) && tail === rest;
    const [, upTo, orMore, end] = open.exec(name) ?? [];
    return holds(Number(upTo), burst, mostBurst) && Number(orMore) <= refill && end === rest;
  };
}

const dayMs = 86_400_000;
/** What a log is called that lost its count. */
export const forgot = 'rolling log of 60 that forgot once what it had counted';
const race = 'rolling log of 60 with a race';

/** A variant that has one name only, by which it is called. */
function named(title: string, fails: string | null, policy: Partial<Policy>, queued?: number): Variant {
  return {
    title,
    names: [title],
    policy: () => policy,
    fails: fails === null ? [] : [fails],
    ...(queued === undefined ? {} : { queued }),
  };
}

/** A limiter of the minute that has other names than its title. */
function called(
  title: string,
  fails: readonly string[],
  names: Variant['names'],
  minuteCounter: (play: Play) => Policy['minuteCounter'],
): Variant {
  return { title, names, fails, policy: (play) => ({ minuteCounter: minuteCounter(play) }) };
}

const limitOf = (perMinute: number): Partial<Policy> => ({ limits: (given) => ({ ...given, perMinute }) });
const minute = (minuteCounter: Policy['minuteCounter']): Partial<Policy> => ({ minuteCounter });

export const variants: readonly Variant[] = [
  named('rolling log of 60', null, {}),
  named('rolling log of 60 in which refused requests count', null, { countsRefused: true }),
  named('rolling log of 59', 'SHR-LIM-001', limitOf(59)),
  named('rolling log of 61', 'SHR-LIM-002', limitOf(61)),
  named('rolling log of 120', 'SHR-LIM-002', limitOf(120)),
  named('rolling log of 50 in which refused requests count', 'SHR-LIM-001', {
    ...limitOf(50),
    countsRefused: true,
  }),
  named('rolling log of 61 in which refused requests count', 'SHR-LIM-002', {
    ...limitOf(61),
    countsRefused: true,
  }),
  named('fixed window of 60 aligned to the clock', 'SHR-LIM-004', of('minute-epoch-window')),
  named('fixed window of 50 aligned to the clock', 'SHR-LIM-004', minute(sized(epochWindow, 50))),
  named('fixed window of 60 opened by the first request', 'SHR-LIM-003', of('minute-first-request-window')),
  named(
    'fixed window of 50 opened by the first request',
    'SHR-LIM-003',
    minute(sized(firstRequestWindow, 50)),
  ),
  named('sliding-window counter of 60', 'SHR-LIM-003', of('minute-weighted-windows')),
  called('sliding-window counter of 50', ['SHR-LIM-001', 'SHR-LIM-002', 'SHR-LIM-006'], [none], () =>
    sized(weightedWindows, 50),
  ),
  named('token bucket of 60', 'SHR-LIM-005', of('minute-token-bucket')),
  ...[
    [10, 60],
    [21, 60],
    [120, 60],
    [60, 30],
    [60, 90],
    [30, 120],
  ].map(([burst = 0, refill = 0]) =>
    called(
      `token bucket of ${burst} that refills ${refill} a minute`,
      ['SHR-LIM-001', 'SHR-LIM-005'],
      [bucketOf(burst, refill)],
      () => bucket(burst, refill),
    ),
  ),
  called(
    'token bucket of 10 that refills 60 a minute, at whole seconds',
    ['SHR-LIM-001', 'SHR-LIM-005'],
    [bucketOf(10, 60, ', counted in whole seconds'), bucketOf(10, 60), bucketOf(11, 60)],
    () => bucket(10, 60, 1000),
  ),
  called(
    'token bucket of 40 that refills 120 a minute, in front of a rolling log of 60',
    ['SHR-LIM-001'],
    [bucketOf(40, 120, ', in front of a rolling log of 60')],
    () => behind(bucket(40, 120), rollingLog),
  ),
  called(
    'token bucket of 40 that refills 120 a minute, in front of a fixed window of 60',
    ['SHR-LIM-001', 'SHR-LIM-002', 'SHR-LIM-003'],
    [none],
    () => behind(bucket(40, 120), firstRequestWindow),
  ),
  named('leaky bucket of 60 as a queue', null, of('minute-unlimited'), 60),
  {
    title: 'leaky bucket as a queue of 60 a minute, in which 10 wait',
    names: [waiting(10)],
    fails: ['SHR-LIM-001'],
    policy: () => of('minute-unlimited'),
    queued: 10,
  },
  named('rolling log of 60, one for each operation', 'SHR-LIM-013', of('limit-per-route')),
  named('rolling log of 60, one for each API', 'SHR-LIM-014', of('limit-per-api')),
  named('rolling log of 60, one for each enterprise', 'SHR-LIM-011', of('limit-per-enterprise')),
  named('rolling log of 60, one for each client address', 'SHR-LIM-012', of('limit-per-address')),
  named('rolling log of 120, one for each enterprise', 'SHR-LIM-011', {
    ...limitOf(120),
    ...of('limit-per-enterprise'),
  }),
  called(
    'rolling log of 60 in 55 s',
    ['SHR-LIM-005'],
    [lasting(55)],
    () => (limit) => rollingLog(limit, 55_000),
  ),
  called(
    'rolling log of 60 in 90 s',
    ['SHR-LIM-006'],
    [lasting(90)],
    () => (limit) => rollingLog(limit, 90_000),
  ),
  called(race, ['SHR-LIM-025'], [race], () => countedLate(() => 50)),
  called('rolling log that counts up to 1 s late', ['SHR-LIM-025'], [counting, race], ({ random }) =>
    countedLate(() => random() * 1000),
  ),
  called('rolling log that counts 1 s late', ['SHR-LIM-025'], [counting, race], () =>
    countedLate(() => 1000),
  ),
  called(
    'two instances of 60 in turn',
    ['SHR-LIM-002'],
    ['rolling log of 60 in each of 2 instances', 'rolling log of 120'],
    () => {
      let turn = 0;
      return spread(2, () => turn++);
    },
  ),
  called(
    'two instances of 60 by chance',
    ['SHR-LIM-002'],
    ['rolling log of 60 in each of 2 instances', 'rolling log of 120'],
    ({ random }) => spread(2, () => random() * 2),
  ),
  called('three instances of 20 by chance', ['SHR-LIM-001', 'SHR-LIM-006'], [none], ({ random }) =>
    spread(3, () => random() * 3, 20),
  ),
  {
    ...called('rolling log that starts anew at midnight UTC', ['SHR-LIM-002'], [forgot], () =>
      forgetful((now) => Math.floor(now / dayMs)),
    ),
    beforeMidnightMs: 15_000,
  },
  called('rolling log that forgets on restart', ['SHR-LIM-002'], [forgot], ({ start, random }) => {
    const at = start + 5000 + random() * 20_000;
    return forgetful((now) => (now < at ? 0 : 1));
  }),
];

/** Whether a limiter may be called that. */
export function isRight({ names }: Pick<Variant, 'names'>, name: string): boolean {
  return names.some((one) => (typeof one === 'string' ? one === name : one(name)));
}

/** The queue of a variant: how long a request of a key waits in it; null where it is full. */
export function createQueue(waiting: number): (key: string, now: number) => number | null {
  const freeAt = new Map<string, number>();
  return (key, now) => {
    const turn = Math.max(now, freeAt.get(key) ?? 0);
    if (turn - now > waiting * 1000) return null;
    freeAt.set(key, turn + 1000);
    return turn - now;
  };
}
