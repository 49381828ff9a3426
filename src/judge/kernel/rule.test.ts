import { expect, test } from 'vitest';
import { z } from 'zod';
import { inWords } from '../../../test/support/judge/inWords.ts';
import { rule } from './rule.ts';

/** A schema of items that are all wrong, and the number that it was asked about. */
function countingSchema() {
  const asked = { items: 0 };
  const item = z.string().superRefine((_value, context) => {
    asked.items += 1;
    context.addIssue('no item of ours');
  });
  return { asked, item };
}

test.each([
  ['in a list', (item: z.ZodType) => z.array(item), (items: unknown) => items, '[0]'],
  [
    'in a member',
    (item: z.ZodType) => z.object({ data: z.array(item) }),
    (data: unknown) => ({ data }),
    'data[0]',
  ],
])('of an endless list %s as much is judged as a page may hold, ten times', (_where, schema, value, at) => {
  const { asked, item } = countingSchema();
  const { judgement } = rule('WCI-LST-001', schema(item)).judge(value(Array<string>(50_000).fill('x')));
  expect(inWords(judgement)).toMatchObject({ status: 'violated', actual: `${at} is "x"` });
  expect(asked.items).toBe(1000);
});

test('the last item of a page that is ten times too long is still judged', () => {
  const items = [...Array<string>(999).fill('x'), 7];
  expect(inWords(rule('WCI-LST-001', z.array(z.string())).judge(items).judgement)).toMatchObject({
    status: 'violated',
    actual: '[999] is 7',
  });
});
