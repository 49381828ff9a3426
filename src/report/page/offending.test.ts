import { describe, expect, test } from 'vitest';
import { sampleFinding } from '../../../test/support/sampleResult.ts';
import { offendingMember, refusedMember } from './offending.ts';

const differing = (...members: string[]) => ({
  ...{ id: 'x7', check: 'c', answer: 'HTTP 422', more: 0 },
  differences: members.map((member) => ({ member, here: '"QQQ"', there: '"DXB"' })),
});

describe('the member that a request is refused for', () => {
  test.each([
    ['the only one', differing('passengers[0].email'), 'A malformed email is stored.', 'passengers[0].email'],
    [
      'the one that the rule names',
      differing('flights[0].destination', 'flights[1].origin'),
      'A departure whose origin airport has no known timezone is refused.',
      'flights[1].origin',
    ],
    [
      'the first, if the rule names none',
      differing('flights[0].destination', 'pnr'),
      'It is refused.',
      'flights[0].destination',
    ],
    ['none, if too much differs', differing('a', 'b', 'c', 'd'), 'It is refused.', null],
    ['none beside the body', differing('key', '?page'), 'It is refused.', null],
  ])('%s', (_, contrast, rule, member) => {
    expect(offendingMember(contrast, rule)).toBe(member);
  });
});

describe('the member that a refusal names', () => {
  const refused = (actual: string) => sampleFinding({ expected: 'HTTP 200', actual });
  test.each([
    ['HTTP 400 VALIDATION_ERROR (pnr is required.)', '{"pnr":null}', 'pnr'],
    [
      'HTTP 400 VALIDATION_ERROR (passengers[0].email must be a string.)',
      '{"passengers":[{"email":1}]}',
      'passengers[0].email',
    ],
    ['HTTP 400 VALIDATION_ERROR (pnr is required.)', '{"flights":[]}', null],
    ['HTTP 422 REJECTED (The departure is too close.)', '{"pnr":null}', null],
  ])('%s of %s', (actual, sent, member) => {
    expect(refusedMember(refused(actual), sent)).toBe(member);
  });
});
