import { expect, test } from 'vitest';
import { VirtualClock } from '../core/virtualClock.ts';
import type { Delivery } from '../core/evidence.ts';
import { Inbox, tokensFrom, type ReceivedRequest } from './inbox.ts';
import { answerStatus } from './script.ts';

const arrival: ReceivedRequest = {
  method: 'POST',
  target: '/',
  headers: [],
  body: new Uint8Array(),
  truncated: false,
  startedAt: 0,
  receivedAt: 0,
  connection: '1',
};

function bench() {
  const clock = new VirtualClock(0);
  return { clock, inbox: new Inbox({ clock, newToken: tokensFrom('a test') }) };
}

test.each([
  { name: 'its path', target: (token: string) => `/${token}` },
  { name: 'a path below it', target: (token: string) => `/${token}/hook?x=1` },
  { name: 'a path behind that of a proxy', target: (token: string) => `/tunnel/a/${token}/hook` },
])('a delivery belongs to a mailbox by $name', async ({ target }) => {
  const { inbox } = bench();
  const [other, mailbox] = [inbox.open(), inbox.open([answerStatus(202)])];
  const admission = inbox.admit(target(mailbox.token));
  await admission.record({ ...arrival, target: target(mailbox.token) });
  expect(admission.answer).toMatchObject({ status: 202 });
  expect(mailbox.deliveries).toMatchObject([{ id: 'c1', registration: mailbox.token, answer: '202' }]);
  expect([other.count, inbox.arrived, inbox.strays]).toEqual([0, 1, 0]);
});

test.each([
  { target: '/', answer: 404, counted: { strays: 1, unwatched: 0 } },
  { target: '/unknown', answer: 404, counted: { strays: 1, unwatched: 0 } },
  { target: '/hook?of=token', answer: 404, counted: { strays: 1, unwatched: 0 } },
  { target: '/gatecheckers', answer: 404, counted: { strays: 1, unwatched: 0 } },
  { target: '/gatecheck', answer: 200, counted: { strays: 0, unwatched: 1 } },
  { target: '/gatecheck?x=1', answer: 200, counted: { strays: 0, unwatched: 1 } },
  { target: '/tunnel/gatecheck/hook', answer: 200, counted: { strays: 0, unwatched: 1 } },
])('$target is answered $answer, counted and not kept', async ({ target, answer, counted }) => {
  const { inbox } = bench();
  const mailbox = inbox.open();
  const admission = inbox.admit(target.replace('token', mailbox.token));
  await admission.record({ ...arrival, target });
  expect(admission.answer).toMatchObject({ status: answer });
  expect({ strays: inbox.strays, unwatched: inbox.unwatched }).toEqual(counted);
  expect([inbox.arrived, mailbox.count]).toEqual([0, 0]);
});

test('the answer waits for the listener, and the mailbox has the delivery by then', async () => {
  const { inbox } = bench();
  const mailbox = inbox.open();
  const seen: (readonly [string, number])[] = [];
  inbox.listen(({ id }: Delivery) => {
    seen.push([id, mailbox.count]);
    return Promise.resolve();
  });
  await inbox.admit(`/${mailbox.token}`).record(arrival);
  expect(seen).toEqual([['c1', 1]]);
});

test('whoever waits wakes at the next delivery, at the end of the time, or at the end of the run', async () => {
  const { clock, inbox } = bench();
  const mailbox = inbox.open();
  clock.timer(100, () => void inbox.admit(`/${mailbox.token}`).record(arrival));
  await inbox.nextArrival(1_000);
  expect(clock.now()).toBe(100);
  await inbox.nextArrival(1_000);
  expect(clock.now()).toBe(1_100);
  const ended = AbortSignal.abort(new Error('the run was stopped'));
  await expect(inbox.nextArrival(1_000, ended)).rejects.toThrow('the run was stopped');
});

test('tokens cannot be guessed from each other, and are the same again for the same secret', () => {
  const [one, again, other] = [tokensFrom('secret'), tokensFrom('secret'), tokensFrom('another')];
  const tokens = [one(), one(), one()];
  expect(tokens).toEqual([again(), again(), again()]);
  expect(new Set([...tokens, other()]).size).toBe(4);
  for (const token of tokens) expect(token).toMatch(/^[\w-]{22}$/);
});
