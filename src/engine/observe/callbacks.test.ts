import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../core/virtualClock.ts';
import { Inbox, tokensFrom, type ReceivedRequest } from '../../receive/inbox.ts';
import type { Mailbox } from '../../receive/mailbox.ts';
import type { Sink } from '../../receive/sink.ts';
import { noStateHandler, type StateHandler } from '../../target/stateHandler.ts';
import { createCallbacks } from './callbacks.ts';
import { CheckSkipped } from '../attempt/signals.ts';

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

/** `pendingUntil`: when the deployment has nothing left to deliver; null if it does not report that. */
function bench(pendingUntil: number | null, isPrompt = false) {
  const clock = new VirtualClock(0);
  const inbox = new Inbox({ clock, newToken: tokensFrom('a test') });
  const sink: Sink = {
    inbox,
    urls: { webcheckin: 'https://sink.example.com', 'flight-alerts': null },
    close: () => Promise.resolve(),
  };
  const state: StateHandler = {
    ...noStateHandler,
    offers: (name) => name === 'callbacks.pending' && pendingUntil !== null,
    set: () => Promise.resolve({ pending: clock.now() < (pendingUntil ?? 0) ? 1 : 0 }),
  };
  const callbacks = createCallbacks({
    ...{ sink, state, clock, isPrompt },
    signal: new AbortController().signal,
  });
  const deliverAt = (mailbox: Mailbox, at: number) =>
    clock.timer(at - clock.now(), () => void inbox.admit(`/${mailbox.token}`).record(arrival));
  return { clock, callbacks, deliverAt };
}

const some = (deliveries: readonly unknown[]) => deliveries.length > 0;

test('each address is a fresh one below that of the sink', () => {
  const { callbacks } = bench(null);
  const [one, other] = [callbacks.open('webcheckin'), callbacks.open('webcheckin')];
  expect(one.url).toBe(`https://sink.example.com/${one.mailbox.token}`);
  expect(other.url).not.toBe(one.url);
});

test('an API whose callbacks cannot reach the sink skips the check', () => {
  expect(() => bench(null).callbacks.open('flight-alerts')).toThrow(CheckSkipped);
});

test('of a prompt deployment that has nothing pending, nobody waits for more than a moment', async () => {
  const [prompt, other] = [bench(0, true), bench(0)];
  expect(await prompt.callbacks.settle()).toBe('nothing-pending');
  expect(await other.callbacks.settle()).toBe('nothing-pending');
  expect([prompt.clock.now(), other.clock.now()]).toEqual([2, 20]);
});

describe('a deployment that tells what is pending', () => {
  test('what comes ends the wait at once', async () => {
    const { clock, callbacks, deliverAt } = bench(900);
    const address = callbacks.open('webcheckin');
    deliverAt(address.mailbox, 700);
    expect(await callbacks.wait(address, some)).toBe('come');
    expect(clock.now()).toBe(700);
  });

  test('silence is certain once nothing is pending', async () => {
    const { clock, callbacks } = bench(900);
    expect(await callbacks.wait(callbacks.open('webcheckin'), some)).toBe('nothing-pending');
    // What is gathered for a moment may be pending nowhere.
    expect(clock.now()).toBeGreaterThanOrEqual(3_000);
    expect(clock.now()).toBeLessThan(3_500);
  });

  test('what comes although nothing was pending is waited for', async () => {
    const { callbacks, deliverAt } = bench(0);
    const address = callbacks.open('webcheckin');
    deliverAt(address.mailbox, 400);
    expect(await callbacks.wait(address, some)).toBe('come');
  });

  test('a retry that is far ahead ends patience', async () => {
    const { clock, callbacks } = bench(3_600_000);
    expect(await callbacks.wait(callbacks.open('webcheckin'), some)).toBe('patience');
    expect(clock.now()).toBeGreaterThanOrEqual(30_000);
    expect(clock.now()).toBeLessThan(31_000);
  });

  test('who can do without certainty does not wait for what another address refused', async () => {
    const { clock, callbacks, deliverAt } = bench(3_600_000);
    const refusing = callbacks.open('webcheckin', [{ kind: 'status', status: 503 }]);
    deliverAt(refusing.mailbox, 100);
    expect(await callbacks.settle({ patienceMs: 5_000, besideRepetitions: true })).toBe('patience');
    expect(clock.now()).toBeGreaterThanOrEqual(100);
    expect(clock.now()).toBeLessThan(500);
    refusing.mailbox.answerWith([{ kind: 'status', status: 200 }]);
    deliverAt(refusing.mailbox, 600);
    await clock.sleep(1_000);
    expect(await callbacks.settle({ patienceMs: 5_000, besideRepetitions: true })).toBe('patience');
    expect(clock.now()).toBeGreaterThan(5_000);
  });

  test('all is settled when nothing is pending, whatever has come', async () => {
    const { callbacks, deliverAt } = bench(400);
    const address = callbacks.open('webcheckin');
    deliverAt(address.mailbox, 100);
    expect(await callbacks.settle()).toBe('nothing-pending');
    expect(address.mailbox.count).toBe(1);
  });
});

describe('a deployment that does not', () => {
  test('silence is never certain: patience ends the wait', async () => {
    const { clock, callbacks } = bench(null);
    expect(await callbacks.wait(callbacks.open('webcheckin'), some)).toBe('patience');
    expect(clock.now()).toBeGreaterThanOrEqual(5_000);
    expect(clock.now()).toBeLessThan(6_000);
  });

  test('patience grows with the slowest delivery, to a minute at most', async () => {
    const { clock, callbacks, deliverAt } = bench(null);
    const slow = callbacks.open('webcheckin');
    deliverAt(slow.mailbox, 3_000);
    expect(await callbacks.wait(slow, some)).toBe('come');
    const before = clock.now();
    expect(await callbacks.settle()).toBe('patience');
    expect(clock.now() - before).toBeGreaterThanOrEqual(30_000);
    const slower = callbacks.open('webcheckin');
    deliverAt(slower.mailbox, clock.now() + 29_000);
    expect(await callbacks.wait(slower, some)).toBe('come');
    const then = clock.now();
    await callbacks.settle();
    expect(clock.now() - then).toBeLessThan(61_000);
  });

  test('a check may have less patience', async () => {
    const { clock, callbacks } = bench(null);
    expect(await callbacks.settle({ patienceMs: 300 })).toBe('patience');
    expect(clock.now()).toBeLessThan(1_000);
  });
});
