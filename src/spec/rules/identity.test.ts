import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../trace/body.ts';
import { item, listBody, statusBody, subscribed, updateBody } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';

const list = (more: JsonObject, sketch: Partial<ExchangeSketch> = {}) =>
  exchange({ operation: 'wci.list', body: listBody([item(more)]), ...sketch });
const status = (more: JsonObject, sketch: Partial<ExchangeSketch> = {}) =>
  exchange({
    operation: 'wci.status',
    query: 'checkin_id=chk-1234567890',
    body: statusBody(more),
    ...sketch,
  });

describe('the ids of a record', () => {
  const subscribe = exchange({ operation: 'wci.subscribe', body: subscribed(), at: 1 });

  test('are the same in every answer', () => {
    expect(judgeLast(subscribe, status({})).holds).toContain('WCI-STS-006');
    expect(judgeLast(subscribe, status({ booking_id: 1 })).violated).toEqual(['WCI-STS-006']);
    expect(judgeLast(subscribe, list({ booking_id: 1 })).violated).toEqual(['WCI-STS-008']);
    const update = exchange({ operation: 'wci.update', body: updateBody({ booking_id: 1 }) });
    expect(judgeLast(subscribe, update).violated).toEqual(['WCI-UPD-035']);
    const again = exchange({
      operation: 'wci.subscribe',
      body: subscribed({ message: 'ALREADY_SUBSCRIBED', booking_id: 1 }),
    });
    expect(judgeLast(subscribe, again).violated).toEqual(['WCI-SUB-016']);
  });

  test('are spelled the same wherever they are not the echo of a request', () => {
    const padded = exchange({
      operation: 'wci.subscribe',
      body: subscribed({ checkin_id: 'chk-1234567890 ' }),
      at: 1,
    });
    expect(judgeLast(padded, list({})).violated).toEqual(['WCI-STS-008']);
    expect(judgeLast(subscribe, list({ checkin_id: 'CHK-1234567890' })).violated).toEqual(['WCI-STS-008']);
    const capital = { query: 'checkin_id=CHK-1234567890' };
    expect(judgeLast(subscribe, status({ checkin_id: 'CHK-1234567890' }, capital)).violated).toEqual([]);
    const updated = (checkin_id: string) =>
      exchange({
        operation: 'wci.update',
        sent: { checkin_id },
        body: updateBody({ checkin_id: 'CHK-1234567890' }),
      });
    expect(judgeLast(subscribe, updated('chk-1234567890')).violated).toEqual(['WCI-UPD-035']);
    expect(judgeLast(subscribe, updated('CHK-1234567890')).violated).toEqual([]);
  });

  test('may share a booking with another attempt', () => {
    const other = exchange({
      operation: 'wci.subscribe',
      body: subscribed({ checkin_id: 'chk-2222222222' }),
    });
    expect(judgeLast(subscribe, other).violated).toEqual([]);
  });

  test('are those that were asked for', () => {
    const ask = (query: string) =>
      judgeLast(exchange({ operation: 'wci.status', query, body: statusBody() })).violated;
    expect(ask('checkin_id=chk-1234567890')).toEqual([]);
    expect(ask('checkinId=chk-1234567890')).toEqual([]);
    expect(ask('checkin_id=chk%2D1234567890&unknown=1')).toEqual([]);
    expect(ask('checkin_id=chk-other00000&checkinId=chk-1234567890')).toEqual([]);
    expect(ask('checkin_id=%20CHK-1234567890')).toEqual([]);
    expect(ask('checkin_id=chk-other00000')).toEqual(['WCI-STS-006']);
    expect(ask('checkinId=chk-other00000')).toEqual(['WCI-STS-006']);
  });
});
