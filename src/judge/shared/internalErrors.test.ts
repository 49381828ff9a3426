import { expect, test } from 'vitest';
import { exchange, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import { internalErrors } from './internalErrors.ts';

function judge(...sketches: readonly ExchangeSketch[]): readonly string[] {
  const watch = internalErrors.createWatch();
  return sketches.flatMap((sketch) =>
    (watch.exchange?.(exchange(sketch)) ?? []).flatMap(({ requirement, judgement }) =>
      judgement.status === 'violated' ? [requirement] : [],
    ),
  );
}

const failed = { status: 500, body: { success: false, error: 'INTERNAL_ERROR', message: 'x' } };
const refused = { status: 400, body: { success: false, error: 'VALIDATION_ERROR', message: 'x' } };
const requestHeaders = [['content-type', 'application/json']] as const;
const plain = { operation: 'wci.status', query: 'checkin_id=chk-1', body: { checkin_id: 'chk-1' } } as const;
const broken = { operation: 'wci.update', requestHeaders, sentRaw: '{', ...failed } as const;

test('a broken body that is an internal error twice, with others answered in between, is to be refused', () => {
  expect(judge(broken, plain)).toEqual([]);
  expect(judge(broken, broken)).toEqual([]);
  expect(judge(broken, plain, broken)).toEqual(['SHR-ERR-012']);
  expect(judge({ ...broken, sentRaw: 'null' }, plain, { ...broken, sentRaw: '7' })).toEqual(['SHR-ERR-013']);
  const deep = { ...broken, sentRaw: '['.repeat(4_000) + ']'.repeat(4_000) };
  expect(judge(deep, plain, deep)).toEqual(['SHR-ERR-013']);
  const deepObject = { ...broken, sentRaw: '{"a":'.repeat(4_000) };
  expect(judge(deepObject, plain, deepObject)).toEqual([]);
  const flight = { ...broken, operation: 'fla.subscribe' } as const;
  expect(judge(flight, { ...broken, operation: 'wci.update', ...refused }, flight)).toEqual(['SHR-ERR-027']);
});

test('an id that no answer has shown is no internal error, and a known one says nothing', () => {
  const odd = { operation: 'wci.status', query: "checkin_id=o'clock", ...failed } as const;
  expect(judge(odd, plain, odd)).toEqual(['SHR-ERR-007']);
  const known = { ...plain, ...failed };
  expect(judge(plain, known, plain, known)).toEqual([]);
});

test('what cannot be read is refused with the code of the API', () => {
  const page = { status: 400, body: { success: false, error: 'BAD', message: 'x' } };
  expect(judge({ ...broken, ...refused })).toEqual([]);
  expect(judge({ ...broken, ...page })).toEqual(['SHR-ERR-012']);
  // A recording may have lost the end of a body, and not that of what is JSON.
  expect(judge({ ...broken, status: 200, body: { success: true } })).toEqual([]);
  expect(judge({ ...broken, sentRaw: '[]', status: 200, body: { success: true } })).toEqual(['SHR-ERR-013']);
  const escape = { operation: 'wci.list', query: 'status=%ZZ' } as const;
  expect(judge({ ...escape, ...page })).toEqual(['SHR-ERR-007']);
  expect(judge({ ...escape, ...refused })).toEqual([]);
});

test('whoever can ask again is told of one internal error, also of a booking that has to be refused', () => {
  const told = (sketch: ExchangeSketch) =>
    (internalErrors.createWatch().suspicion?.(exchange(sketch)) ?? []).map(({ requirement }) => requirement);
  const booking = {
    ...broken,
    operation: 'wci.subscribe',
    sentRaw: '{"passengers":[],"flights":[null]}',
  } as const;
  expect(told(booking)).toEqual(['WCI-SUB-026']);
  expect(told(broken)).toEqual(['SHR-ERR-012']);
  expect(told({ ...broken, status: 400 })).toEqual([]);
  expect(judge(booking, plain, booking)).toEqual(['WCI-SUB-026']);
});
