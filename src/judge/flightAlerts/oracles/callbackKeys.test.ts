import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/body.ts';
import { callbackData, leg, legRequest, route } from '../../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../../test/support/judge/exchanges.ts';
import { callbackKeys } from './callbackKeys.ts';

const key = 'fak_0123456789abcdef';
const withCallback = legRequest({ callbackData: callbackData() });
const subscribe = (
  more: JsonObject = {},
  sent: JsonObject = withCallback,
  sketch: Partial<ExchangeSketch> = {},
) =>
  exchange({
    operation: 'fla.subscribe',
    sent,
    body: { success: true, latest_status_snapshot: leg(), ...more },
    ...sketch,
  });
const lost = exchange({ operation: 'fla.subscribe', sent: withCallback, lost: true });

describe('a flight subscribe', () => {
  test.each([
    ['as it is', legRequest()],
    ['in other spellings', legRequest({ departureAirportIata: ' doh ', arrivalAirportIata: 'Lhr' })],
  ])('shows the leg asked for %s', (_, sent) => {
    expect(judgeLast(subscribe({}, sent)).holds).toContain('FLA-SUB-002');
    expect(judgeLast(subscribe({ latest_status_snapshot: route('LHR', 'DOH') }, sent)).violated).toEqual([
      'FLA-SUB-002',
    ]);
  });

  test('may know its leg without the codes', () => {
    const blank = leg({ departure: { ...(leg().departure as JsonObject), airportIata: '' } });
    const { holds, violated } = judgeLast(subscribe({ latest_status_snapshot: blank }, legRequest()));
    expect(violated).toEqual([]);
    expect(holds).not.toContain('FLA-SUB-002');
  });

  test('has success true and a snapshot', () => {
    expect(judgeLast(subscribe({ success: false }, legRequest())).violated).toEqual(['FLA-SUB-001']);
    expect(judgeLast(subscribe({ success: 'true' }, legRequest())).violated).toEqual(['FLA-SUB-001']);
    expect(judgeLast(subscribe({ latest_status_snapshot: null }, legRequest())).violated).toEqual([
      'FLA-SNP-022',
    ]);
    expect(judgeLast(subscribe({ latest_status_snapshot: [leg()] }, legRequest())).violated).toEqual([
      'FLA-SNP-022',
    ]);
    expect(
      judgeLast(exchange({ operation: 'fla.subscribe', sent: legRequest(), body: [leg()] })).violated,
    ).toEqual(['FLA-SUB-001']);
  });
});

describe('callbackApiKey where it is right', () => {
  test.each([
    ['returned at first', [subscribe({ callbackApiKey: key })]],
    ['absent from a retry', [subscribe({ callbackApiKey: key }), subscribe()]],
    ['null in a retry', [subscribe({ callbackApiKey: key }), subscribe({ callbackApiKey: null })]],
    ['absent, as an earlier run has had it', [subscribe()]],
    ['returned after a lost answer', [lost, subscribe({ callbackApiKey: key })]],
    ['not returned after a lost answer', [lost, subscribe()]],
    [
      'returned when a callback is attached',
      [subscribe({}, legRequest()), subscribe({ callbackApiKey: key })],
    ],
    [
      'absent without a callback',
      [subscribe({ callbackApiKey: key }), subscribe({}, legRequest({ callbackData: null }))],
    ],
    ['null without a callback', [subscribe({ callbackApiKey: null }, legRequest())]],
    [
      'returned again for another spelling, which other oracles judge',
      [
        subscribe({ callbackApiKey: key }),
        subscribe(
          { callbackApiKey: key },
          { ...withCallback, flightNumber: 'qr-001', arrivalAirportIata: ' lhr' },
        ),
      ],
    ],
    [
      'returned for another leg',
      [
        subscribe({ callbackApiKey: key }),
        subscribe({ callbackApiKey: `${key}2` }, { ...withCallback, departureDate: '2026-03-21' }),
      ],
    ],
    [
      'the same for another leg',
      [
        subscribe({ callbackApiKey: key }),
        subscribe({ callbackApiKey: key }, { ...withCallback, departureDate: '2026-03-21' }),
      ],
    ],
    [
      'returned to another enterprise',
      [
        subscribe({ callbackApiKey: key }),
        subscribe({ callbackApiKey: `${key}2` }, withCallback, { enterprise: 'other', key: 'other#1' }),
      ],
    ],
    [
      'returned to another key, which may own subscriptions',
      [
        subscribe({ callbackApiKey: key }),
        subscribe({ callbackApiKey: `${key}2` }, withCallback, { key: 'primary#2' }),
      ],
    ],
    [
      'the same in two simultaneous answers',
      [
        subscribe({ callbackApiKey: key }, withCallback, { at: 10, until: 90 }),
        subscribe({ callbackApiKey: key }, withCallback, { at: 20, until: 80 }),
      ],
    ],
  ])('%s', (_, sequence) => {
    expect(judgeLast(...sequence).violated).toEqual([]);
  });

  test('is a sample of the retry only where a key had been returned', () => {
    expect(judgeLast(subscribe({ callbackApiKey: key }), subscribe()).holds).toContain('FLA-SUB-006');
    expect(judgeLast(subscribe(), subscribe()).holds).not.toContain('FLA-SUB-006');
  });
});

describe('callbackApiKey where it is wrong', () => {
  const other = 'zzz_0123456789abcdef';
  test.each([
    ['returned without a callback', [subscribe({ callbackApiKey: key }, legRequest())], ['FLA-SUB-004']],
    [
      'returned for a null callback',
      [subscribe({ callbackApiKey: key }, legRequest({ callbackData: null }))],
      ['FLA-SUB-004'],
    ],
    ['a number', [subscribe({ callbackApiKey: 5 })], ['FLA-SUB-005']],
    ['an object', [subscribe({ callbackApiKey: { value: key } })], ['FLA-SUB-005']],
    [
      'returned again',
      [subscribe({ callbackApiKey: key }), subscribe({ callbackApiKey: key })],
      ['FLA-SUB-006'],
    ],
    [
      'renewed by a retry',
      [subscribe({ callbackApiKey: key }), subscribe({ callbackApiKey: `${key}2` })],
      ['FLA-SUB-006'],
    ],
    [
      'two keys of simultaneous subscribes',
      [
        subscribe({ callbackApiKey: key }, withCallback, { at: 10, until: 90 }),
        subscribe({ callbackApiKey: `${key}2` }, withCallback, { at: 20, until: 80 }),
      ],
      ['FLA-SUB-029'],
    ],
    ['the API key of the request', [subscribe({ callbackApiKey: 'secret of primary#1' })], ['FLA-CB-028']],
    [
      'without the prefix of the others',
      [
        subscribe({ callbackApiKey: key }),
        subscribe({ callbackApiKey: other }, { ...withCallback, departureDate: '2026-03-21' }),
      ],
      ['FLA-CBR-019'],
    ],
  ])('%s', (_, sequence, violated) => {
    expect(judgeLast(...sequence).violated).toEqual(violated);
  });

  test('is told with the answers before it, since one of them shows why', () => {
    const watch = callbackKeys.createWatch();
    const sequence = [
      { ...subscribe({ callbackApiKey: key }), id: 'x1' },
      { ...subscribe({}, legRequest()), id: 'x2' },
      { ...subscribe({ callbackApiKey: `${key}2` }), id: 'x3' },
    ];
    const [last] = sequence.map((one) => watch.exchange?.(one)).slice(-1);
    const broken = last?.find(({ requirement }) => requirement === 'FLA-SUB-006')?.judgement;
    expect(broken).toMatchObject({ code: 'again', because: [{ id: 'x1' }, { id: 'x2' }, { id: 'x3' }] });
    expect(JSON.stringify(broken)).not.toContain(key);
  });
});
