import { expect, test } from 'vitest';
import {
  blame,
  faultStep,
  subscribeStep,
  untouched,
  type LegState,
  type ModelCallback,
} from './subscriptionModel.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';

const a = { url: 'https://example.com/a', fid: '1' };
const polling: LegState = { isSubscribed: true, callback: null, unchangedBy: null };
const registered: LegState = { isSubscribed: true, callback: a, unchangedBy: null };
const ok = (callbackApiKey?: string | null) =>
  exchange({ operation: 'fla.subscribe', body: { success: true, callbackApiKey } });
const conflict = (error: string) => exchange({ operation: 'fla.subscribe', status: 409, body: { error } });
const urlTaken = conflict('CALLBACK_ALREADY_REGISTERED');
const fidTaken = conflict('EXTERNAL_FID_ALREADY_REGISTERED');

test.each<[string, LegState, ModelCallback | 'absent' | null, ReturnType<typeof ok>, Record<string, string>]>(
  [
    [
      'a first polling subscribe',
      untouched,
      'absent',
      ok(),
      { 'FLA-SUB-003': 'holds', 'FLA-SUB-004': 'holds' },
    ],
    [
      'a polling subscribe with a key',
      untouched,
      null,
      ok('k'),
      { 'FLA-SUB-003': 'holds', 'FLA-SUB-004': 'violated' },
    ],
    [
      'a repeated polling subscribe',
      polling,
      'absent',
      ok(),
      { 'FLA-SUB-037': 'holds', 'FLA-SUB-004': 'holds' },
    ],
    ['omission', registered, 'absent', urlTaken, { 'FLA-SUB-012': 'violated', 'FLA-SUB-004': 'holds' }],
    ['a first callback', untouched, a, ok('k'), { 'FLA-SUB-005': 'holds' }],
    ['a first callback without a key', untouched, a, ok(null), { 'FLA-SUB-005': 'violated' }],
    ['an attached callback', polling, a, ok('k'), { 'FLA-SUB-013': 'holds' }],
    ['an identical retry', registered, a, ok(), { 'FLA-SUB-006': 'holds' }],
    ['an identical retry with the key again', registered, a, ok('k'), { 'FLA-SUB-006': 'violated' }],
    ['another URL', registered, { ...a, url: 'b' }, urlTaken, { 'FLA-SUB-008': 'holds' }],
    [
      'another URL with the code of the fid',
      registered,
      { ...a, url: 'b' },
      fidTaken,
      { 'FLA-SUB-008': 'violated' },
    ],
    ['another fid', registered, { ...a, fid: '2' }, fidTaken, { 'FLA-SUB-009': 'holds' }],
    ['another fid, accepted', registered, { ...a, fid: '2' }, ok(), { 'FLA-SUB-009': 'violated' }],
    [
      'both others, the URL found first',
      registered,
      { url: 'b', fid: '2' },
      urlTaken,
      { 'FLA-SUB-010': 'holds' },
    ],
    [
      'both others, the fid found first',
      registered,
      { url: 'b', fid: '2' },
      fidTaken,
      { 'FLA-SUB-010': 'holds' },
    ],
  ],
)('%s', (_, state, wanted, answer, expected) => {
  const judged = Object.entries(subscribeStep(state, wanted).judge(answer));
  expect(Object.fromEntries(judged.map(([rule, { status }]) => [rule, status]))).toEqual(expected);
});

test('what is refused changes nothing, and is remembered as the cause to look at', () => {
  expect(subscribeStep(registered, { ...a, fid: '2' }).next).toEqual({
    ...registered,
    unchangedBy: 'FLA-SUB-011',
  });
  expect(subscribeStep(registered, 'absent').next).toEqual({ ...registered, unchangedBy: 'FLA-SUB-012' });
  expect(faultStep(untouched, 'FLA-CBR-002').next).toEqual({ ...untouched, unchangedBy: 'FLA-SUB-030' });
});

test('a fault on a leg with a callback may be found to be another callback first', () => {
  const judge = (state: LegState) => faultStep(state, 'FLA-CBR-007').judge(urlTaken)['FLA-CBR-007']?.status;
  expect([judge(registered), judge(untouched)]).toEqual(['holds', 'violated']);
});

test('a step is blamed on what came before it', () => {
  expect(blame('FLA-SUB-006', { ...registered, unchangedBy: 'FLA-SUB-011' }, [])).toBe('FLA-SUB-011');
  expect(blame('FLA-SUB-005', untouched, [registered])).toBe('FLA-SUB-015');
  expect(blame('FLA-SUB-005', untouched, [untouched])).toBe('FLA-SUB-005');
});
