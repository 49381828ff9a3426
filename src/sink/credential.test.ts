import { describe, expect, it } from 'vitest';
import { Redactor } from '../core/redact.ts';
import { credentialsOf, judgeCredential, type Expectation } from './options.ts';

const secret = 'My Secret: é-1';
const expected: Expectation = { name: 'X-API-Key', value: secret };

function judge(headers: readonly (readonly [string, string])[], expectation: Expectation | null = expected) {
  const redactor = new Redactor();
  return judgeCredential(credentialsOf(headers, redactor), expectation, redactor);
}

describe('the credential of a delivery', () => {
  it.each([
    ['X-API-Key', secret],
    ['x-api-key', secret],
    ['X-API-Key', Buffer.from(secret, 'utf8').toString('latin1')],
  ])('matches as %s, in either encoding', (name, value) => {
    expect(
      judge([
        ['Host', 'a'],
        [name, value],
      ]).status,
    ).toBe('match');
  });

  it.each([
    [`Bearer ${secret}`, 'with Bearer in front'],
    [secret.toLowerCase(), 'in lower case'],
    [secret.replaceAll(' ', ''), 'without its spaces'],
    [`"${secret}"`, 'in quotes'],
    ['something else', 'another value'],
  ])('that is altered is told from the right one: %s', (value, what) => {
    const { status, text } = judge([['X-API-Key', value]]);
    expect(status).toBe('mismatch');
    expect(text).toContain(what);
    expect(text).not.toContain(value);
  });

  it('may be absent, doubled, in another header, or of no concern', () => {
    expect(judge([])).toEqual({ status: 'missing', text: 'no X-API-Key header' });
    expect(judge([['Authorization', secret]]).status).toBe('missing');
    expect(
      judge([
        ['X-API-Key', secret],
        ['X-API-Key', secret],
      ]).text,
    ).toBe('2 X-API-Key headers');
    expect(judge([['Authorization', 'abc']], null).text).toMatch(/^Authorization ‹[\da-f]{12}›$/);
  });
});
