import { describe, expect, test } from 'vitest';
import { answersOnPath, errorMembers, errorForm } from './refusedKey.ts';
import { exchange } from '../../test/support/judge/exchanges.ts';

const error = { success: false, error: 'NOT_FOUND', message: 'No such flight' };
const answer = (status: number, body?: unknown) => exchange({ operation: 'fla.lookup', status, body });

describe('a refusal', () => {
  test.each([
    ['INVALID_API_KEY', 'code'],
    ['UNAUTHORIZED', 'code'],
    ['Invalid API key', 'text'],
    ['Unauthorized', 'text'],
    ['A', 'text'],
    ['', null],
    [401, null],
  ])('with error %j speaks in the form %s', (said, form) => {
    expect(errorForm(answer(401, { error: said }))).toBe(form);
  });

  test.each([
    [{ success: false, error: 'x', message: 'y' }, 'full-body'],
    [{ success: false, error: 'x' }, 'success-only'],
    [{ error: 'x', message: 'y' }, 'message-only'],
    [{ error: 'x' }, 'error-only'],
  ])('of %j is accompanied as %s', (body, company) => {
    expect(errorMembers(answer(401, body))).toBe(company);
  });
});

describe('an operation is at its path', () => {
  test.each([
    [200, []],
    [400, error],
    [404, error],
    [500, error],
  ])('where it answers %d in the body of the API', (status, body) => {
    expect(answersOnPath(answer(status, body)).status).toBe('holds');
  });

  test('but not where nothing is found there', () => {
    const page = exchange({ operation: 'fla.lookup', status: 404, raw: '<h1>Not Found</h1>' });
    expect(answersOnPath(page).status).toBe('violated');
    expect(answersOnPath(answer(404, { message: 'no Route matched' })).status).toBe('violated');
    expect(answersOnPath(answer(405, error)).status).toBe('violated');
  });
});
