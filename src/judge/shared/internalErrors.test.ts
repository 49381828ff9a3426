import { expect, test } from 'vitest';
import { exchange, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import { internalErrors } from './internalErrors.ts';

function judge(...sketches: readonly ExchangeSketch[]): readonly string[] {
  const watch = internalErrors.createWatch();
  return sketches.flatMap((sketch) =>
    (watch.exchange?.(exchange(sketch)) ?? []).map(({ requirement }) => requirement),
  );
}

const failed = { status: 500, body: { success: false, error: 'INTERNAL_ERROR', message: 'x' } };
const requestHeaders = [['content-type', 'application/json']] as const;
const plain = { operation: 'wci.status', query: 'checkin_id=chk-1', body: { checkin_id: 'chk-1' } } as const;
const broken = { operation: 'wci.update', requestHeaders, sentRaw: '{', ...failed } as const;

test('a broken body that is an internal error twice, with others answered in between, is to be refused', () => {
  expect(judge(broken, plain)).toEqual([]);
  expect(judge(broken, broken)).toEqual([]);
  expect(judge(broken, plain, broken)).toEqual(['SHR-ERR-012']);
  expect(judge({ ...broken, sentRaw: 'null' }, plain, { ...broken, sentRaw: '7' })).toEqual(['SHR-ERR-013']);
  const deep = { ...broken, sentRaw: '['.repeat(4_000) + ']'.repeat(4_000) };
  expect(judge(deep, plain, deep)).toEqual([]);
  const flight = { ...broken, operation: 'fla.subscribe' } as const;
  expect(judge(flight, { ...broken, operation: 'wci.update', status: 400 }, flight)).toEqual(['SHR-ERR-027']);
});

test('an id that no answer has shown is no internal error, and a known one says nothing', () => {
  const odd = { operation: 'wci.status', query: "checkin_id=o'clock", ...failed } as const;
  expect(judge(odd, plain, odd)).toEqual(['SHR-ERR-007']);
  const known = { ...plain, ...failed };
  expect(judge(plain, known, plain, known)).toEqual([]);
});
