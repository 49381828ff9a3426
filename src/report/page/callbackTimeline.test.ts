import { expect, it } from 'vitest';
import type { StateLine } from './pageData.ts';
import type { DeliveryLine, ExchangeLine } from '../../send/journalLine.ts';
import { renderCallbackTimeline } from './callbackTimeline.ts';
import { changedPaths, valuesAt } from './changes.ts';
import type { Moment } from './moments.ts';

function poll(id: string, at: number, answer: string): Moment {
  const line = {
    request: { method: 'GET', url: 'https://h/status', headers: [], body: null },
    response: { status: 200, headers: [], body: { text: answer }, truncated: false },
  };
  return { kind: 'exchange', at, id, line: line as unknown as ExchangeLine };
}

function callback(id: string, at: number, body: string): Moment {
  const line = { request: { method: 'POST', target: '/', headers: [], body: { text: body } }, answer: '200' };
  return { kind: 'delivery', at, id, line: line as unknown as DeliveryLine };
}

function state(at: number, name: string, params: string): Moment {
  const line = { data: { state: name, params, error: null } };
  return { kind: 'state', at, id: `s${at}`, line: line as unknown as StateLine };
}

const moments = [
  poll('x1', 0, '{"status":"SCHEDULED","sub_status":"COMPLETE_INFO"}'),
  state(100, 'checkin.progress', '{"checkin_id":"a","status":"IN_PROGRESS"}'),
  poll('x2', 120, '{"status":"IN_PROGRESS","sub_status":"STARTED"}'),
  callback(
    'c1',
    2000,
    '{"checkin_id":"a","changes":{"status":"COMPLETED","sub_status":"STARTED","boarding_passes":[]}}',
  ),
];

it('shows what was set, polled and called back beside each other, with when it was', () => {
  const markup = renderCallbackTimeline(moments, 'c1')?.markup ?? '';
  expect(markup).toContain('1 callback next to what was polled, over 2.0 s');
  expect(markup).toContain(
    'after 0 ms polled: SCHEDULED, COMPLETE_INFO; after 100 ms set by the state handler: IN_PROGRESS; after 120 ms polled: IN_PROGRESS, STARTED; after 2.0 s callbacks: COMPLETED, STARTED',
  );
  expect(markup.match(/class="arrow fail"/g)).toHaveLength(1);
});

it('is nothing without a callback, or with nothing beside it', () => {
  expect(renderCallbackTimeline(moments.slice(0, 3), null)).toBeNull();
  expect(renderCallbackTimeline(moments.slice(3), null)).toBeNull();
});

it('tells of flights by the members that callbacks name, wherever an answer has them', () => {
  const told = callback('c1', 5, '{"fid":"1","changes":{"departure":{"gate":"B2"}}}');
  const paths = changedPaths([told]);
  expect(paths).toEqual(['departure.gate']);
  const values = [
    poll('x1', 0, '[{"departure":{"gate":null}}]'),
    poll('x2', 1, '{"success":true,"latest_status_snapshot":{"departure":{"gate":""}}}'),
    state(2, 'flights.change', '{"changes":{"departure":{"gate":"B2"}}}'),
    told,
  ].map((moment) => valuesAt(moment, paths));
  expect(values).toEqual(['gate null', 'gate ""', 'gate B2', 'gate B2']);
});

it.each(['no JSON', 'null', '7', '{"changes":[1]}', '{"changes":"x"}', '{}'])(
  'takes %s from a target',
  (text) => {
    expect(() =>
      renderCallbackTimeline([...moments, callback('c2', 3000, text), poll('x9', 4000, text)], null),
    ).not.toThrow();
  },
);
