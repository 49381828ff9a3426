import { expect, test } from 'vitest';
import { connectStateHandler, type StateHandlerPost } from './stateHandler.ts';

const offers = { ok: true, states: ['enterprise.create', 'clock.advance'], clock: ['dates'] };

/** A handler that answers the first request with what it offers, and any other with `answer`. */
function answering(answer: unknown, status = 200): StateHandlerPost {
  let asked = 0;
  return () => {
    asked += 1;
    const body = JSON.stringify(asked === 1 ? offers : answer);
    return Promise.resolve({ status: asked === 1 ? 200 : status, body });
  };
}

const create = async (answer: unknown, status?: number) =>
  (await connectStateHandler(answering(answer, status))).set('enterprise.create', { keys: 1 });

test('each key counts once', async () => {
  expect(await create({ ok: true, keys: ['k1', 'k2', 'k1'] })).toEqual({ ok: true, keys: ['k1', 'k2'] });
});

test.each([
  [[1, null]],
  [['a\r\nX: 1']],
  [['']],
  [['k'.repeat(513)]],
  [Array.from({ length: 1001 }, (_, index) => `key-${index}`)],
  ['k1'],
])('what is no list of keys is refused and not shown: %#', async (keys) => {
  await expect(create({ ok: true, keys })).rejects.toThrow(/expected keys: .* \(not shown\)$/);
});

test.each(['+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00Z', 'soon', 7, null])(
  'a time that cannot be reckoned with is left out: %j',
  async (now) => {
    expect(await create({ ok: true, now })).toEqual({ ok: true });
  },
);

test('a time that can be is kept', async () => {
  const now = '2026-11-22T10:00:00Z';
  expect(await create({ ok: true, now })).toEqual({ ok: true, now });
});

test('an error is told on one line that is not long', async () => {
  const error = `no\n\u001b[2J ${'e'.repeat(100_000)}`;
  const told = await create({ ok: false, error }, 500).then(() => 'nothing', String);
  expect(told).toMatch(
    /^StateHandlerError: the state handler did not set enterprise\.create: HTTP 500 no \[2J e+…$/,
  );
  expect(told.length).toBeLessThan(420);
});

test('of what is offered, so much counts as the protocol can need', async () => {
  const states = [...Array.from({ length: 100_000 }, (_, index) => `state.${index}`), 'x'.repeat(1000)];
  const body = JSON.stringify({ ...offers, states });
  const handler = await connectStateHandler(() => Promise.resolve({ status: 200, body }));
  expect(handler.states).toHaveLength(200);
});
