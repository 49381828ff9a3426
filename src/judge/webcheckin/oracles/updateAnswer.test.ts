import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/body.ts';
import { record, updateBody, without } from '../../../../test/support/judge/bodies.ts';
import { exchange, judgeLast } from '../../../../test/support/judge/exchanges.ts';

const update = (body: JsonObject, sent?: JsonObject) =>
  exchange({ operation: 'wci.update', body, ...(sent ? { sent } : {}) });
const passengers = [{ first_name: 'Ada', last_name: 'Test' }];

describe('the frame of an update', () => {
  const cases: readonly [string, JsonObject, readonly string[]][] = [
    ['no type', without(updateBody(), 'type'), ['WCI-UPD-031']],
    ['another type', updateBody({}, { type: 'passenger' }), ['WCI-UPD-031']],
    ['no operation', without(updateBody(), 'operation'), ['WCI-UPD-031']],
    ['another operation', updateBody({}, { operation: 'replace' }), ['WCI-UPD-031']],
    ['no data', without(updateBody(), 'data'), ['WCI-UPD-031']],
    ['data as a list', { ...updateBody(), data: [record()] }, ['WCI-UPD-031']],
    ['the record beside the frame', { ...statusLike(), type: 'pnr', operation: 'update' }, ['WCI-UPD-031']],
  ];

  test.each(cases)('%s', (_, body, violated) => {
    expect(judgeLast(update(body)).violated).toEqual(violated);
  });
});

function statusLike(): JsonObject {
  return { success: true, ...record() };
}

describe('the type of an update', () => {
  const id = { checkin_id: 'chk-1234567890' };
  const pnr = updateBody({}, { type: 'pnr' });

  const conforming: readonly [string, JsonObject, JsonObject][] = [
    ['passengers without type', { ...id, passengers }, updateBody()],
    ['passengers in payload', { ...id, type: 'passengers', payload: { passengers } }, updateBody()],
    ['a pnr', { ...id, type: 'pnr', payload: { pnr: 'ABC123' } }, pnr],
    ['both, by type', { ...id, type: 'pnr', passengers, payload: { pnr: 'ABC123' } }, pnr],
    ['both, by data', { ...id, type: 'pnr', passengers, payload: { pnr: 'ABC123' } }, updateBody()],
    ['a type against its data', { ...id, type: 'pnr', passengers }, updateBody()],
    ['a pnr beside passengers', { ...id, pnr: 'ABC123', passengers }, pnr],
  ];
  test.each(conforming)('may be read for %s', (_, sent, body) => {
    expect(judgeLast(update(body, sent)).violated).toEqual([]);
  });

  const violating: readonly [string, JsonObject, JsonObject][] = [
    ['passengers', { ...id, passengers }, pnr],
    ['passengers in payload', { ...id, payload: { passengers } }, pnr],
    ['a pnr', { ...id, type: 'pnr', payload: { pnr: 'ABC123' } }, updateBody()],
  ];
  test.each(violating)('is wrong for %s', (_, sent, body) => {
    expect(judgeLast(update(body, sent)).violated).toEqual(['WCI-UPD-050']);
  });
});

describe('the record of an update', () => {
  test.each([
    'checkin_id',
    'booking_id',
    'status',
    'sub_status',
    'checkin_message',
    'missing_info',
    'last_updated',
  ])('has %s', (member) => {
    const body = { ...updateBody(), data: without(record(), member) };
    expect(judgeLast(update(body)).violated).toEqual(['WCI-UPD-032']);
  });

  test.each([
    ['checkin_id', { checkin_id: 'chk-1234567890' }, { checkin_id: 'chk-9999999999' }],
    ['webcheckin_id', { webcheckin_id: 'chk-1234567890' }, { checkin_id: 'chk-9999999999' }],
    ['booking_id', { booking_id: 4711 }, { booking_id: 4712 }],
    ['booking_id as a text', { booking_id: '4711' }, { booking_id: 4712 }],
  ])('is the one of the %s that was given', (_, sent, shown) => {
    expect(judgeLast(update(updateBody(), { ...sent, passengers })).violated).toEqual([]);
    expect(judgeLast(update(updateBody(shown), { ...sent, passengers })).violated).toEqual(['WCI-UPD-035']);
  });

  test('is not judged by ids that contradict each other', () => {
    const sent = { checkin_id: 'chk-1234567890', webcheckin_id: 'chk-2222222222', passengers };
    expect(judgeLast(update(updateBody({ checkin_id: 'chk-2222222222' }), sent)).violated).toEqual([]);
    const mixed = { checkin_id: 'chk-1234567890', booking_id: 1, passengers };
    expect(
      judgeLast(update(updateBody({ booking_id: 1, checkin_id: 'chk-3333333333' }), mixed)).violated,
    ).toEqual([]);
  });

  test('is not judged by a multipart body', () => {
    const sentRaw = '--x\r\nContent-Disposition: form-data; name="checkin_id"\r\n\r\nchk-1\r\n--x--';
    expect(judgeLast(exchange({ operation: 'wci.update', body: updateBody(), sentRaw })).violated).toEqual(
      [],
    );
  });
});
