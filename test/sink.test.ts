import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../src/core/clock.ts';
import { resolveSettings } from '../src/index.ts';
import { Inbox, tokensFrom } from '../src/receive/inbox.ts';
import type { Mailbox } from '../src/receive/mailbox.ts';
import { answerStatus, type Script } from '../src/receive/script.ts';
import { openSinkServer } from '../src/receive/sinkServer.ts';
import { booking, flight } from './support/reference.ts';
import { openSink } from '../src/target/openSink.ts';
import { openTarget } from '../src/target/openTarget.ts';

/** The embedded deployment over HTTP with the sink that it is routed to, as a run has them. */
async function openBoth() {
  const settings = resolveSettings({ target: 'embedded', seed: 1 });
  const target = await openTarget(settings, systemClock);
  const sink = await openSink({ settings, target, clock: systemClock });
  if (!sink) throw new Error('there is no sink');
  const post = async (path: string, body: object) => {
    const response = await fetch(`${target.baseUrls.webcheckin}/extPartner/api/${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': target.keys.primary[0]?.value ?? '', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const open = (script?: Script) => {
    const mailbox = sink.inbox.open(script);
    return { mailbox, url: `${sink.urls['flight-alerts'] ?? ''}/${mailbox.token}` };
  };
  const close = async () => {
    await sink.close();
    await target.close();
  };
  return { target, sink, post, open, close };
}

function statusesOf({ deliveries }: Mailbox): readonly unknown[] {
  return deliveries.map(
    ({ body }) =>
      (JSON.parse(Buffer.from(body).toString()) as { changes: { status: unknown } }).changes.status,
  );
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

describe('the sink of a run', () => {
  test('takes the callbacks of both APIs, each under the address that was registered', async () => {
    const { target, post, open, close } = await openBoth();
    const set: typeof target.stateHandler.set = (state, params) => target.stateHandler.set(state, params);
    await set('automation.set', { mode: 'manual' });
    const checkin = open();
    const other = open();
    const departure_datetime = `${inDays(10)}T10:20:00`;
    const [subscribed] = await Promise.all(
      [checkin, other].map(({ url }, index) =>
        post('webcheckin/subscribe', {
          ...booking({ flights: [{ ...flight, departure_datetime }] }),
          callbackData: { callbackUrl: url, auth_header: `x-Api-Key: throwaway value ${index}` },
        }),
      ),
    );
    const { checkin_id } = subscribed as { checkin_id: string };
    await set('checkin.progress', { checkin_id, status: 'FAILED' });
    await expect.poll(() => statusesOf(checkin.mailbox).at(-1), { timeout: 5000 }).toBe('FAILED');
    const [delivery] = checkin.mailbox.deliveries;
    expect(delivery?.headers.filter(([name]) => /^x-api-key$/i.test(name))).toEqual([
      [expect.stringMatching(/^x-api-key$/i), 'throwaway value 0'],
    ]);

    const leg = { departure: { airportIata: 'DXB' }, arrival: { airportIata: 'LHR' } };
    const named = { flightNumber: 'EK77', departureDate: inDays(3) };
    const ends = { departureAirportIata: 'DXB', arrivalAirportIata: 'LHR' };
    await set('flights.put', { ...named, legs: [leg] });
    const alerts = open();
    const { callbackApiKey } = await post('flight-alerts/subscribe', {
      ...named,
      ...ends,
      callbackData: { fid: '007', callbackUrl: alerts.url },
    });
    await set('flights.change', { ...named, ...ends, changes: { departure: { gate: 'B12' } } });
    await expect.poll(() => alerts.mailbox.count, { timeout: 5000 }).toBe(1);
    const [alert] = alerts.mailbox.deliveries;
    expect(alert?.headers.find(([name]) => /^authorization$/i.test(name))?.[1]).toBe(callbackApiKey);
    expect(statusesOf(other.mailbox)).not.toContain('FAILED');
    await close();
  });

  test('fails deliveries as its script says, and sees them again', async () => {
    const { target, post, open, close } = await openBoth();
    await target.stateHandler.set('automation.set', { mode: 'manual' });
    const { mailbox, url } = open([answerStatus(503), { kind: 'reset' }, answerStatus(200)]);
    const departure_datetime = `${inDays(10)}T10:20:00`;
    const subscribed = await post('webcheckin/subscribe', {
      ...booking({ flights: [{ ...flight, departure_datetime }] }),
      callbackData: { callbackUrl: url, auth_header: 'Authorization: throwaway' },
    });
    const { checkin_id } = subscribed as { checkin_id: string };
    await target.stateHandler.set('checkin.progress', { checkin_id, status: 'FAILED' });
    for (let turn = 0; turn < 4 && mailbox.count < 3; turn += 1) {
      await target.stateHandler.set('clock.advance', { seconds: 3600 });
    }
    expect(mailbox.deliveries.slice(0, 3).map(({ answer }) => answer)).toEqual(['503', 'reset', '200']);
    await close();
  });
});

/** Sends `count` deliveries over each of some connections, without waiting for answers; counts those that came. */
async function flood(port: number, path: string, connections: number, count: number): Promise<number> {
  const body = JSON.stringify({ fid: '1', changes: { note: 'x'.repeat(300) } });
  const message = `POST ${path} HTTP/1.1\r\nHost: sink\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answers = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1');
      let acknowledged = 0;
      const all = new Promise<void>((resolve, reject) => {
        socket.on('data', (chunk: Buffer) => {
          acknowledged += chunk.toString('latin1').split('HTTP/1.1 200 OK').length - 1;
          if (acknowledged >= count) resolve();
        });
        socket.on('error', reject);
      });
      for (let sent = 0; sent < count; sent += 1) {
        if (!socket.write(message)) await new Promise((resolve) => socket.once('drain', resolve));
      }
      await all;
      socket.destroy();
      return acknowledged;
    }),
  );
  return answers.reduce((sum, one) => sum + one, 0);
}

test('a burst loses nothing that was acknowledged, and memory does not grow with it', async () => {
  const inbox = new Inbox({ clock: systemClock, newToken: tokensFrom('burst') });
  const mailbox = inbox.open();
  let kept = 0;
  let written = Promise.resolve();
  // A disk that takes a moment: everything has to wait for it.
  inbox.listen(() => {
    kept += 1;
    if (kept % 200 === 0) written = systemClock.sleep(2);
    return written;
  });
  const server = await openSinkServer({
    inbox,
    clock: systemClock,
    host: '127.0.0.1',
    port: 0,
    certificate: null,
  });
  await flood(server.port, `/${mailbox.token}`, 20, 200);
  global.gc?.();
  const before = process.memoryUsage().rss;
  const acknowledged = await flood(server.port, `/${mailbox.token}`, 40, 400);
  const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
  expect([acknowledged, kept, mailbox.count]).toEqual([16_000, 20_000, 20_000]);
  expect(mailbox.deliveries).toHaveLength(1000);
  expect(grown).toBeLessThan(120);
  await server.close();
});
