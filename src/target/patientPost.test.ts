import { expect, test } from 'vitest';
import { VirtualClock } from '../core/virtualClock.ts';
import { resendPauses } from '../send/resend.ts';
import { patientPost } from './url.ts';
import type { StateHandlerPost } from './stateHandler.ts';

const done = { status: 200, body: '{"ok":true}' };
const page = { status: 502, body: '<html>Bad Gateway</html>' };
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** Asks a handler that first answers like this, then properly; returns the outcome and the number of attempts. */
async function ask(state: string, ...before: (Error | typeof page)[]) {
  let asked = 0;
  const post: StateHandlerPost = () => {
    const now = before[asked++] ?? done;
    return now instanceof Error ? Promise.reject(now) : Promise.resolve(now);
  };
  const answer = await patientPost(
    post,
    new VirtualClock(0),
  )(JSON.stringify({ state, params: {} })).catch((error: unknown) => (error as Error).message);
  return { answer, asked };
}

test.each(['keys.issue', 'clock.advance'])('one that is not reached is asked again: %s', async (state) => {
  expect(await ask(state, refused, refused)).toEqual({ answer: done, asked: 3 });
});

test('one that stays away is given up', async () => {
  const away = Array.from({ length: 99 }, () => refused);
  expect(await ask('reset', ...away)).toEqual({
    answer: 'connect ECONNREFUSED',
    asked: resendPauses.length + 1,
  });
});

test('one that may have heard it is not asked again', async () => {
  expect(await ask('keys.issue', reset)).toEqual({ answer: 'read ECONNRESET', asked: 1 });
});

test('a page of a gateway is asked again for, but time is not moved twice', async () => {
  expect(await ask('keys.issue', page)).toEqual({ answer: done, asked: 2 });
  expect(await ask('clock.advance', page)).toEqual({ answer: page, asked: 1 });
});

test.each([501, 503])('what the handler itself says stands: %i', async (status) => {
  const said = { status, body: '{"ok":false,"error":"UNSUPPORTED_STATE"}' };
  expect(await ask('keys.issue', said)).toEqual({ answer: said, asked: 1 });
});
