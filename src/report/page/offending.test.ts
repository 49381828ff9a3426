import { describe, expect, test } from 'vitest';
import { offendingMember } from './offending.ts';

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
