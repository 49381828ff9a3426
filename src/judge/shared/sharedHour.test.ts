import { expect, test } from 'vitest';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { watchSharedHours } from './sharedHour.ts';

interface Hour {
  readonly keys?: number;
  /** Requests of all keys together before the refusal, and milliseconds between them. */
  readonly sent?: number;
  readonly everyMs?: number;
  readonly retryAfter: unknown;
  readonly refusedBefore?: boolean;
}

function broken({ keys = 3, sent = 1000, everyMs = 400, retryAfter, refusedBefore = false }: Hour) {
  const see = watchSharedHours({ perMinute: 60, perHour: 1000 });
  const key = (index: number) => `primary#${1 + (index % keys)}`;
  const refusal = (seconds: unknown) => ({ status: 429, body: { success: false, retryAfter: seconds } });
  for (let index = 0; index < sent; index += 1)
    see(
      exchange({ operation: 'wci.list', key: key(index), at: index * everyMs, until: index * everyMs + 5 }),
    );
  const at = sent * everyMs;
  if (refusedBefore) see(exchange({ operation: 'wci.list', ...refusal(20), at: at - 9, until: at - 8 }));
  const last = exchange({ operation: 'wci.list', key: key(sent), ...refusal(retryAfter), at, until: at + 5 });
  return see(last).map(({ requirement }) => requirement);
}

/** An hour from the first request on. */
const whole = 3600 - 400;

test('a key that is refused for the hour of all keys shows that they share it', () => {
  expect(broken({ retryAfter: whole })).toEqual(['SHR-LIM-011']);
  expect(broken({ retryAfter: String(whole), keys: 2 })).toEqual(['SHR-LIM-011']);
});

test.each<[why: string, hour: Hour]>([
  ['its own hour is used up', { retryAfter: whole, keys: 1 }],
  ['the hour began before, with requests of others', { retryAfter: whole - 60 }],
  ['the wait says nothing about when it began', { retryAfter: 3600 }],
  ['it is the minute', { retryAfter: 60 }],
  ['no wait is announced', { retryAfter: null }],
  ['its enterprise has sent less', { retryAfter: 3600 - 320, sent: 800 }],
  ['others may have sent as much meanwhile', { retryAfter: 3600 - 2500, everyMs: 2500 }],
  ['a key was refused before', { retryAfter: whole, refusedBefore: true }],
])('it shows nothing where %s', (_, hour) => {
  expect(broken(hour)).toEqual([]);
});
