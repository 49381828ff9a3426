import { describe, expect, test } from 'vitest';
import { exchange } from '../../../../test/support/judge/exchanges.ts';
import {
  delivery,
  judgeDeliveries,
  testToken,
  webhookEvent,
  webhookSubscribe,
} from '../../../../test/support/judge/deliveries.ts';
import { webhookRecipient } from './webhookRecipient.ts';

const other = 'tokenOfAnotherMailbox1';

describe('webhookRecipient', () => {
  const first = webhookSubscribe();
  const second = webhookSubscribe({ token: other, checkinId: 'wci_second_of_all' });
  const judged = (...seen: Parameters<typeof judgeDeliveries>[1][]) =>
    judgeDeliveries(webhookRecipient, ...seen);

  test.each([
    `/${testToken}/hook`,
    `/${testToken}/hook?x=2`,
    `/${testToken}/hook/?x=1`,
    `/${testToken}/Hook?x=1`,
    `/${testToken}?x=1`,
  ])('%s is not the address that was registered', (target) => {
    expect(judged(first, delivery({ target }))).toMatchObject({ 'WCI-CB-004': 'address' });
  });

  test('a record that a repeated subscribe makes anew may be told before the answer that names it', () => {
    const body = webhookEvent(undefined, { checkin_id: 'wci_made_anew' });
    const anew = webhookSubscribe({ checkinId: 'wci_made_anew' });
    expect(judged(first, delivery({ body }), anew)).toMatchObject({ 'WCI-CB-004': 'holds' });
    expect(judged(first, delivery({ body }))).toEqual({ 'WCI-CB-004': 'unknown' });
  });

  test('what stands before the token is the matter of a proxy', () => {
    const target = `/tunnel/${testToken}/hook?x=1`;
    expect(judged(first, delivery({ target }))).toMatchObject({ 'WCI-CB-004': 'holds' });
  });

  test.each([
    {
      name: 'of another request of the enterprise',
      seen: [first, second],
      id: 'wci_second_of_all',
      said: { 'WCI-CB-022': 'holds', 'WCI-CB-004': 'record' },
    },
    {
      name: 'of a request of another enterprise',
      seen: [first, webhookSubscribe({ token: other, checkinId: 'wci_foreign', enterprise: 'other' })],
      id: 'wci_foreign',
      said: { 'WCI-CB-022': 'enterprise' },
    },
    {
      name: 'of a request without callbackData',
      seen: [first, webhookSubscribe({ token: null, checkinId: 'wci_unasked' })],
      id: 'wci_unasked',
      said: { 'WCI-CB-014': 'unasked' },
    },
    { name: 'of nothing that is known', seen: [first], id: '4711', said: { 'WCI-CB-004': 'unknown' } },
  ])('a callback $name is at the wrong address', ({ seen, id, said }) => {
    const stray = delivery({ body: webhookEvent(undefined, { checkin_id: id }) });
    expect(judged(...seen, stray)).toEqual(said);
  });

  test('a subscribe without an answer may have made the record', () => {
    const stray = delivery({ body: webhookEvent(undefined, { checkin_id: 'wci_of_the_lost' }) });
    const lost = webhookSubscribe({ token: other, lost: true });
    expect(judged(first, lost, stray)).toEqual({ 'WCI-CB-004': 'unclear' });
  });

  test('an address that a repeated subscribe named is one of the record as well', () => {
    const again = webhookSubscribe({ token: other });
    expect(judged(first, again, delivery({ token: other }))).toMatchObject({ 'WCI-CB-004': 'holds' });
    expect(judged(first, again, delivery())).toMatchObject({ 'WCI-CB-004': 'holds' });
  });

  test('a refused subscribe registers nothing', () => {
    expect(judged(webhookSubscribe({ status: 422 }), delivery())).toEqual({});
  });

  test('callbackData of a multipart body is read', () => {
    const callbackData = {
      callbackUrl: `https://sink.example.com/${testToken}`,
      auth_header: 'X-API-Key: a',
    };
    const sentRaw = [
      '--b\r\nContent-Disposition: form-data; name="pnr"\r\n\r\nABC123',
      '--b\r\nContent-Disposition: form-data; name="callbackData"\r\nContent-Type: text/plain\r\n\r\n',
    ].join('\r\n');
    const subscribed = exchange({
      operation: 'wci.subscribe',
      sentRaw: `${sentRaw}${JSON.stringify(callbackData)}\r\n--b--\r\n`,
      body: { success: true, message: 'SCHEDULED', checkin_id: 'wci_first_of_all' },
    });
    expect(judged(subscribed, delivery({ target: `/${testToken}` }))).toMatchObject({
      'WCI-CB-004': 'holds',
    });
  });
});
