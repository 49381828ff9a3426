import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange, Headers } from '../../core/evidence.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import { ServerClock } from './serverClock.ts';

const start = Date.UTC(2026, 6, 15, 9, 30);

function seen(date: string | null, sentAt = start, receivedAt = start + 100): Exchange {
  const headers: Headers = date === null ? [] : [['Date', date]];
  const outcome = {
    kind: 'response',
    response: { status: 200, headers, body: new Uint8Array(), truncated: false },
  } as const;
  return {
    operation: null,
    outcome,
    timings: { sentAt, receivedAt, sent: 0, received: 0 },
  } as unknown as Exchange;
}

function offsetAfter(...exchanges: readonly Exchange[]): number {
  const clock = new ServerClock(new VirtualClock(start));
  for (const one of exchanges) clock.observe(one);
  return clock.offset();
}

const at = (ms: number) => new Date(start + ms).toUTCString();

test.each<[what: string, exchanges: Exchange[], offset: number]>([
  ['without any header both clocks agree', [], 0],
  ['a header of this second explains itself', [seen(at(0))], 0],
  ['one hour ahead', [seen(at(3_600_000))], 3_599_900],
  ['one hour behind', [seen(at(-3_600_000))], -3_599_000],
  ['a header that is no date', [seen('yesterday')], 0],
  ['no header', [seen(null)], 0],
  ['a header of no age', [seen('Fri, 31 Dec 9999 23:59:59 GMT'), seen('Thu, 01 Jan 1970 00:00:00 GMT')], 0],
  ['two sightings narrow it', [seen(at(10_000)), seen(at(11_000), start + 200, start + 300)], 10_700],
  ['a clock that jumped is followed', [seen(at(0)), seen(at(3_600_000))], 3_599_900],
])('%s', (_what, exchanges, offset) => {
  expect(offsetAfter(...exchanges)).toBe(offset);
});

test('a lost answer says nothing', () => {
  const outcome = {
    kind: 'failure',
    failure: { reason: 'timeout', message: '', maybeDelivered: true },
  } as const;
  expect(offsetAfter({ ...seen(null), outcome })).toBe(0);
});

test('a clock that was moved without a word about the time is followed by as much', () => {
  const clock = new ServerClock(new VirtualClock(start));
  clock.set(start);
  clock.move(61_000);
  expect(clock.now()).toBe(start + 61_000);
});

test('what the state handler says is taken to the millisecond, and nonsense is not', () => {
  const clock = new ServerClock(new VirtualClock(start));
  clock.set(start + 5000);
  clock.set(Number.NaN);
  expect(clock.now()).toBe(start + 5000);
});

test('whatever the offset and the answer times, the correction explains every header that was seen', () => {
  const moments = fc.array(
    fc.record({
      wait: fc.nat(5000),
      latency: fc.nat(3000),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    {
      minLength: 1,
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(fc.integer({ min: -1e7, max: 1e7 }), moments, (offset, all) => {
      const clock = new ServerClock(new VirtualClock(start));
      let now = start;
      const windows = all.map(({ wait, latency, share }) => {
        now += wait;
        const server = now + latency * share + offset;
        clock.observe(seen(new Date(server).toUTCString(), now, now + latency));
        const shown = Math.floor(server / 1000) * 1000;
        const range = { low: shown - (now + latency), high: shown + 1000 - now };
        now += latency;
        return range;
      });
      for (const { low, high } of windows) {
        expect(clock.offset()).toBeGreaterThanOrEqual(low);
        expect(clock.offset()).toBeLessThanOrEqual(high);
      }
      expect(Math.abs(clock.offset())).toBeLessThanOrEqual(Math.abs(offset));
    }),
  );
});

/** An exchange of web check-in with this body, answered at once. */
function answeredWith(operation: string, body: object, date: string | null): Exchange {
  const one = seen(date, start, start);
  if (one.outcome.kind !== 'response') throw new Error('unreachable: it has a response');
  const response = { ...one.outcome.response, body: Buffer.from(JSON.stringify(body)) };
  return { ...one, operation, outcome: { kind: 'response', response } } as Exchange;
}

describe('a Date header that contradicts our clock', () => {
  const day = 86_400_000;
  const made = { message: 'SCHEDULED', checkin_id: 'one' };
  const listed = (createdAt: number) => ({
    data: [{ checkin_id: 'one', created_at: new Date(createdAt).toISOString() }],
  });
  const candidatesAfter = (...exchanges: readonly Exchange[]) => {
    const clock = new ServerClock(new VirtualClock(start));
    for (const one of exchanges) clock.observe(one);
    return { candidates: clock.candidates().map((time) => Math.round((time - start) / 1000)), clock };
  };

  test('leaves two times, of which the later one is taken', () => {
    const { candidates, clock } = candidatesAfter(seen(at(-day), start, start));
    expect(candidates).toEqual([0, -86_399]);
    expect(clock.now()).toBe(start);
  });

  test.each([
    { name: 'our time', createdAt: start, wanted: [0] },
    { name: 'that of the header', createdAt: start - day, wanted: [-86_399] },
    { name: 'yet another', createdAt: start + 7_200_000, wanted: [0, -86_399, 7200] },
  ])('is right or wrong by a record of this run, which tells $name', ({ createdAt, wanted }) => {
    const subscribe = answeredWith('wci.subscribe', made, at(-day));
    const list = answeredWith('wci.list', listed(createdAt), at(-day));
    expect(candidatesAfter(subscribe, list).candidates).toEqual(wanted);
  });

  test('is not heard where the state handler of this deployment has told the time', () => {
    const { clock } = candidatesAfter();
    clock.set(start + 5000);
    clock.observe(seen(at(-day), start, start));
    clock.prove();
    expect(clock.candidates()).toEqual([start + 5000]);
  });
});

describe('a clock that earlier runs moved', () => {
  const moved = 9_600_000;
  const made = { message: 'SCHEDULED', checkin_id: 'one' };
  const minutesAfter = (header: string | null, createdAt?: number) => {
    const clock = new ServerClock(new VirtualClock(start), { movedMs: moved });
    clock.observe(answeredWith('wci.subscribe', made, header));
    const data =
      createdAt === undefined
        ? []
        : [{ checkin_id: 'one', created_at: new Date(start + createdAt).toISOString() }];
    clock.observe(answeredWith('wci.list', { data }, header));
    return clock.offsets().map((ms) => Math.round(ms / 60_000));
  };

  test.each<[what: string, header: string | null, createdAt: number | undefined, wanted: number[]]>([
    ['the header follows', at(moved), undefined, [160]],
    ['the header is that of a web server in front', at(0), undefined, [0, 160]],
    ['there is no header', null, undefined, [0, 160]],
    ['a record follows, the header does not', at(0), moved, [160]],
    ['the deployment was started anew', at(0), 0, [0]],
    ['somebody else moved it further', at(0), moved + 3_600_000, [0, 160, 220]],
  ])('%s', (_what, header, createdAt, wanted) => {
    expect(minutesAfter(header, createdAt)).toEqual(wanted);
  });
});

describe('a state handler whose time no answer agrees with', () => {
  const ahead = 40 * 3_600_000;
  const clockAfter = (act: (clock: ServerClock) => void) => {
    const clock = new ServerClock(new VirtualClock(start));
    clock.set(start + ahead);
    clock.observe(answeredWith('wci.subscribe', { message: 'SCHEDULED', checkin_id: 'one' }, at(0)));
    act(clock);
    return clock.candidates().map((time) => (time - start) / 3_600_000);
  };
  const shows = (createdAt: number) => (clock: ServerClock) => {
    const data = [{ checkin_id: 'one', created_at: new Date(start + createdAt).toISOString() }];
    clock.observe(answeredWith('wci.list', { data }, at(0)));
  };

  test.each<[what: string, act: (clock: ServerClock) => void, wanted: number[]]>([
    ['may be that of another deployment', () => undefined, [40, 0]],
    ['still may, where a record agrees with the header', shows(0), [40, 0]],
    ['is believed, where a record agrees with it', shows(ahead), [40]],
    ['is believed, where the target takes its keys', (clock) => clock.prove(), [40]],
    ['says nothing, where the target refuses its keys', (clock) => clock.disown(), [0]],
  ])('%s', (_what, act, wanted) => {
    expect(clockAfter(act)).toEqual(wanted);
  });
});

describe('headers that jump without the state handler', () => {
  const steps = (act: (clock: ServerClock) => void, before = 0) => {
    const clock = new ServerClock(new VirtualClock(start));
    clock.set(start);
    clock.observe(seen(at(before), start, start));
    act(clock);
    return clock.candidates().map((time) => Math.round((time - start) / 60_000));
  };
  const jump = (ms: number) => (clock: ServerClock) => clock.observe(seen(at(ms), start, start));

  test('leave two times, of which the one that was told is taken', () => {
    const clock = new ServerClock(new VirtualClock(start));
    clock.set(start);
    for (const ms of [0, 3_600_000]) clock.observe(seen(at(ms), start, start));
    expect(clock.candidates()).toHaveLength(2);
    expect(clock.now()).toBe(start);
  });

  test.each([
    ['an hour back', jump(-3_600_000), [0, -60]],
    ['an hour ahead', jump(3_600_000), [0, 60]],
    ['half a minute', jump(30_000), [0]],
    ['years', jump(4e10), [0]],
    ['there and back', (clock: ServerClock) => [-3_600_000, 0].forEach((ms) => jump(ms)(clock)), [0]],
  ])('%s', (_what, act, wanted) => {
    expect(steps(act)).toEqual(wanted);
    // The header of a gateway is two hours off from the beginning.
    const later = (clock: ServerClock) => {
      const observe = clock.observe.bind(clock);
      clock.observe = (one) => observe(shifted(one, 7_200_000));
      act(clock);
    };
    const proven = (clock: ServerClock) => {
      clock.prove();
      later(clock);
    };
    expect(steps(proven, 7_200_000)).toEqual(wanted);
  });

  test('but for what the handler moved, or tells', () => {
    const moved = (followed: number) => (clock: ServerClock) => {
      clock.move(3_600_000);
      clock.set(start + 3_600_000);
      jump(followed)(clock);
    };
    expect(steps(moved(3_600_000))).toEqual([60]);
    expect(steps(moved(0))).toEqual([60]);
    expect(steps(moved(7_200_000))).toEqual([60, 120]);
    const told = (clock: ServerClock) => {
      jump(-3_600_000)(clock);
      clock.set(start - 3_600_000);
    };
    expect(steps(told)).toEqual([-60]);
  });
});

/** The same with another date. */
function shifted(one: Exchange, ms: number): Exchange {
  if (one.outcome.kind !== 'response') return one;
  const date = one.outcome.response.headers[0]?.[1] ?? '';
  return seen(new Date(Date.parse(date) + ms).toUTCString(), one.timings.sentAt, one.timings.receivedAt);
}

const hourMs = 3_600_000;

test.each<[what: string, told: number | null, headers: (string | null)[], isSure: boolean]>([
  ['both say the same', 0, [at(0)], true],
  ['both say the same, some seconds apart', 5_500, [at(0)], true],
  ['they are half a minute apart', 30_000, [at(0)], false],
  ['they are an hour apart', hourMs, [at(0)], false],
  ['there is no header', 0, [null], false],
  ['there is no state handler', null, [at(0)], false],
])('the time is sure to seconds or not: %s', (_what, told, headers, isSure) => {
  const clock = new ServerClock(new VirtualClock(start));
  if (told !== null) clock.set(start + told);
  for (const header of headers) clock.observe(seen(header));
  expect(clock.isSure(true)).toBe(isSure);
});

test.each<[what: string, told: number, header: string, isFollowed: boolean, isSure: boolean]>([
  ['the headers followed', hourMs, at(hourMs), true, true],
  ['the headers stayed', hourMs, at(0), true, true],
  ['the time that counts stayed, as the state handler says', hourMs, at(hourMs), false, false],
  ['the state handler moved it by something else', hourMs / 2, at(0), true, false],
])('the time that was moved by an hour is sure or not: %s', (_what, told, header, isFollowed, isSure) => {
  const clock = new ServerClock(new VirtualClock(start));
  clock.set(start);
  clock.observe(seen(at(0)));
  clock.move(hourMs);
  clock.set(start + told);
  clock.observe(seen(header));
  expect(clock.isSure(isFollowed)).toBe(isSure);
});
