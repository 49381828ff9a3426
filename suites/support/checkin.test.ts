import { expect, test } from 'vitest';
import { statusBody, updateBody } from '../../test/support/judge/bodies.ts';
import { exchange, testStart } from '../../test/support/judge/exchanges.ts';
import { isOfBefore } from './checkin.ts';

const time = (milliseconds: number) => new Date(testStart + milliseconds).toISOString();
const update = (last_updated: string) =>
  exchange({ operation: 'wci.update', body: updateBody({ last_updated }) });
const read = (last_updated: string) =>
  exchange({ operation: 'wci.status', body: statusBody({ last_updated }) });

test.each([
  ['of an earlier time shows what was before the update', 4321, 4400, true],
  ['of the same time does not', 4400, 4400, false],
  ['of a later time does not', 4500, 4400, false],
  ['that keeps whole seconds of the same second does not', 4000, 4400, false],
  ['that keeps whole seconds of an earlier second does', 3000, 4400, true],
])('a read %s', (_name, shown, written, isEarlier) => {
  expect(isOfBefore(read(time(shown)), update(time(written)))).toBe(isEarlier);
});

test('a read without a time says nothing of when', () => {
  expect(isOfBefore(read('soon'), update(time(0)))).toBe(false);
});
