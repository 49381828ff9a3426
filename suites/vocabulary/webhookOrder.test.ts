import { describe, expect, test } from 'vitest';
import { exchange } from '../../test/support/judge/exchanges.ts';
import { delivery, webhookEvent } from '../../test/support/judge/deliveries.ts';
import { scheduled, started, webhookEvents } from '../../test/support/judge/webhookEvents.ts';
import { eventOf, type WebhookEvent } from '../../src/spec/world/webhookEvent.ts';
import {
  agreesWith,
  changesForm,
  distinctEvents,
  isFilledList,
  isIdle,
  isPushed,
  tellsChanges,
  tellsCompletion,
  tellsNoMore,
  withoutPassUrls,
  withoutText,
  type Change,
} from './webhookOrder.ts';
import { shownBy, type Shown } from '../../src/spec/world/hookedRecord.ts';

const completed: Shown = {
  ...started,
  status: 'COMPLETED',
  sub_status: 'BOARDING_PASS_AVAILABLE',
  boarding_passes: ['https://a.example.com/1', 'https://a.example.com/2'],
};

const told = { status: 'IN_PROGRESS', sub_status: 'STARTED' };

function change(changes: readonly object[], given: Partial<Change> = {}): Change {
  const events = webhookEvents(changes);
  return { before: scheduled, after: started, events, isOver: true, ...given };
}

test.each([
  { name: 'any event is a push', of: change([{ gate: 'A1' }]), said: 'holds' },
  { name: 'no event is none, once no more can come', of: change([]), said: 'violated' },
  { name: 'no event yet says nothing', of: change([], { isOver: false }), said: 'unclear' },
])('$name', ({ of, said }) => {
  expect(isPushed(of).status).toBe(said);
});

describe('tellsChanges', () => {
  test.each([
    { name: 'all changed fields', of: change([told]), said: 'holds' },
    { name: 'a whole snapshot', of: change([started]), said: 'holds' },
    {
      name: 'two events that tell them together',
      of: change([{ status: 'IN_PROGRESS' }, { sub_status: 'STARTED' }]),
      said: 'holds',
    },
    {
      name: 'another new value, which is not its matter',
      of: change([{ ...told, sub_status: 'ELSE' }]),
      said: 'holds',
    },
    { name: 'one of them not', of: change([{ status: 'IN_PROGRESS' }]), said: 'violated' },
    {
      name: 'one of them not, while more may come',
      of: change([{ status: 'IN_PROGRESS' }], { isOver: false }),
      said: 'unclear',
    },
    { name: 'an old value', of: change([{ ...told, sub_status: 'COMPLETE_INFO' }]), said: 'violated' },
    {
      name: 'old values of an event that is late, while more may come',
      of: change([scheduled], { isOver: false }),
      said: 'unclear',
    },
    { name: 'nothing', of: change([]), said: 'unclear' },
  ])('$name: $said', ({ of, said }) => {
    expect(tellsChanges(of).status).toBe(said);
  });
});

describe('agreesWith', () => {
  test.each([
    { name: 'what status shows', of: change([told]), said: 'holds' },
    { name: 'something else', of: change([{ ...told, sub_status: 'ELSE' }]), said: 'violated' },
    { name: 'something else, corrected later', of: change([{ sub_status: 'ELSE' }, told]), said: 'holds' },
    {
      name: 'something else, while more may come',
      of: change([{ ...told, sub_status: 'ELSE' }], { isOver: false }),
      said: 'unclear',
    },
    { name: 'no boarding passes as null', of: change([{ ...told, boarding_passes: null }]), said: 'holds' },
    {
      name: 'passes that are signed anew',
      of: change(
        [
          {
            ...completed,
            boarding_passes: ['https://a.example.com/1?Signature=x', 'https://a.example.com/2?Signature=y'],
          },
        ],
        { after: completed },
      ),
      said: 'holds',
    },
    {
      name: 'some of the passes',
      of: change([{ ...completed, boarding_passes: ['https://a.example.com/1'] }], { after: completed }),
      said: 'violated',
    },
  ])('$name: $said', ({ of, said }) => {
    expect(agreesWith(of).status).toBe(said);
  });

  test('the later occurredAt wins, in whatever order the events came', () => {
    const { events, ...rest } = change([{ sub_status: 'ELSE' }, told]);
    expect(agreesWith({ ...rest, events: events.toReversed() }).status).toBe('holds');
  });

  test('members of items may stand in any order', () => {
    const after = { ...started, missing_info: [{ field: 'a', passenger: 0 }] };
    const of = change([{ ...told, missing_info: [{ passenger: 0, field: 'a' }] }], { after });
    expect(agreesWith(of).status).toBe('holds');
  });
});

describe('tellsNoMore and changesForm', () => {
  const only = { ...started, status: 'SCHEDULED' };
  test.each([
    { changes: { sub_status: 'STARTED' }, said: 'holds', form: 'changed-only' },
    { changes: { status: 'SCHEDULED', sub_status: 'STARTED' }, said: 'holds', form: 'changed-and-status' },
    { changes: only, said: 'holds', form: 'all-five' },
    { changes: { sub_status: 'STARTED', missing_info: [] }, said: 'violated', form: null },
  ])('$changes where only sub_status changed: $said, $form', ({ changes, said, form }) => {
    const of = change([changes], { after: only });
    expect(tellsNoMore(of).status).toBe(said);
    expect(changesForm(of)).toBe(form);
  });

  test('two readings cannot be told apart where status itself changed', () => {
    expect(changesForm(change([told]))).toBeNull();
  });

  test('several events may be several changes', () => {
    const of = change([told, { boarding_passes: [] }]);
    expect([tellsNoMore(of).status, changesForm(of)]).toEqual(['holds', null]);
  });
});

describe('tellsCompletion', () => {
  const done = (changes: readonly object[], given: Partial<Change> = {}) =>
    tellsCompletion(change(changes, { before: started, after: completed, ...given })).status;

  test('status, sub_status and passes are told, by one event or several', () => {
    const { status, sub_status, boarding_passes } = completed;
    expect(done([{ status, sub_status, boarding_passes }])).toBe('holds');
    expect(done([{ status, sub_status }, { boarding_passes }])).toBe('holds');
  });

  test.each([
    { name: 'no callback', changes: [], said: 'violated' },
    { name: 'no passes', changes: [{ ...completed, boarding_passes: [] }], said: 'violated' },
    { name: 'another sub_status', changes: [{ ...completed, sub_status: 'DONE' }], said: 'violated' },
  ])('$name is not enough', ({ changes, said }) => {
    expect(done(changes)).toBe(said);
  });

  test('what status does not show cannot be asked of the callback', () => {
    expect(done([], { after: { ...completed, boarding_passes: [] } })).toBe('unclear');
  });

  test('what has not come yet says nothing', () => {
    expect(done([], { isOver: false })).toBe('unclear');
    expect(done([started], { isOver: false })).toBe('unclear');
  });
});

test('deliveries of one event are one event, whatever the order of its members', () => {
  const one = delivery({ body: webhookEvent({ status: 'FAILED', sub_status: 'A' }) });
  const again = delivery({ body: webhookEvent({ sub_status: 'A', status: 'FAILED' }) });
  const later = delivery({
    body: webhookEvent({ status: 'FAILED' }, { occurredAt: '2026-03-01T12:00:01.000Z' }),
  });
  const unread = delivery({ raw: '', truncated: true });
  expect(distinctEvents([one, again, later, unread]).map(({ delivery: { id } }) => id)).toEqual([
    one.id,
    later.id,
  ]);
});

test('an event that tells nothing new is idle, and one that tells nothing is not', () => {
  const [idle, news, nothing] = change([{ status: 'SCHEDULED' }, { status: 'FAILED' }, {}]).events;
  if (!idle || !news || !nothing) throw new Error('three events were made');
  expect([idle, news, nothing].map((event) => isIdle(event, scheduled))).toEqual([true, false, false]);
});

test('a subscribe calls the message status_message, and an update shows the record in data', () => {
  const { checkin_message, ...rest } = scheduled;
  const subscribed = exchange({
    operation: 'wci.subscribe',
    body: { ...rest, status_message: checkin_message },
  });
  const updated = exchange({ operation: 'wci.update', body: { success: true, data: scheduled } });
  expect([shownBy(subscribed), shownBy(updated)]).toEqual([scheduled, scheduled]);
  const without = exchange({
    operation: 'wci.status',
    body: { ...rest, boarding_passes: undefined, checkin_message },
  });
  expect(shownBy(without)).toEqual(scheduled);
  expect(shownBy(exchange({ operation: 'wci.status', status: 404, body: { success: false } }))).toBeNull();
});

describe('two events whose times are of two clocks', () => {
  const at = (seconds: string, changes: object) =>
    eventOf(delivery({ body: webhookEvent(changes, { occurredAt: `2026-03-01T12:00:${seconds}Z` }) })) ?? [];
  const later = at('04.000', { sub_status: 'ELSE' });

  test('may have been made as they arrived, where two clocks explain their times', () => {
    const events = [later, at('02.100', told)].flat();
    expect(agreesWith({ before: scheduled, after: started, events, isOver: true }).status).toBe('holds');
  });

  test('may have been made either way round where a time in whole seconds is that of both', () => {
    const events = [at('02.000', told), at('02.000', scheduled)].flat();
    const change = { before: scheduled, after: started, events, isOver: true };
    expect([tellsChanges(change).status, agreesWith(change).status]).toEqual(['holds', 'holds']);
    const later = { ...change, events: [at('02.000', told), at('03.000', scheduled)].flat() };
    expect([tellsChanges(later).status, agreesWith(later).status]).toEqual(['violated', 'violated']);
  });

  test('were made in the order of their times beyond that', () => {
    const events = [later, at('00.900', told)].flat();
    expect(agreesWith({ before: scheduled, after: started, events, isOver: true }).status).toBe('violated');
  });
});

describe('texts for people', () => {
  const said = (checkin_message: string) => ({ ...told, checkin_message });

  test('may count the time', () => {
    const after = { ...started, checkin_message: 'Opens in 14 days.' };
    const one = change([said('Opens in 15 days.')], { after });
    expect(agreesWith(one).status).toBe('holds');
    expect(agreesWith(change([said('It is open.')], { after })).status).toBe('violated');
  });

  test('say nothing where they are left out', () => {
    const after = { ...started, checkin_message: 'Bonjour.' };
    const one = withoutText(change([said('Guten Tag.')], { after }));
    expect([tellsChanges, agreesWith, tellsNoMore].map((judge) => judge(one).status)).toEqual([
      'holds',
      'holds',
      'holds',
    ]);
    expect(agreesWith(withoutText(change([{ ...told, sub_status: 'ELSE' }], { after }))).status).toBe(
      'violated',
    );
  });
});

test.each([
  { name: 'members that only answers have', told: [{ passenger: 0, fields: ['email'] }], said: 'holds' },
  { name: 'another value of what both have', told: [{ passenger: 0, fields: ['pnr'] }], said: 'violated' },
  { name: 'no member that both have', told: [{ index: 0 }], said: 'violated' },
  { name: 'fewer items', told: [], said: 'violated' },
])('items of missing information with $name: $said', ({ told: missing_info, said }) => {
  const after = { ...started, missing_info: [{ passenger: 0, fields: ['email'], hint: 'one of 2' }] };
  expect(agreesWith(change([{ ...told, missing_info }], { after })).status).toBe(said);
});

test('what is missing is a set', () => {
  const before = { ...scheduled, missing_info: ['pnr', { field: 'email', passenger: 1 }] };
  const after = { ...started, missing_info: [{ passenger: 1, field: 'email' }, 'pnr'] };
  expect(tellsChanges(change([told], { before, after })).status).toBe('holds');
});

describe('passes whose URLs are made anew', () => {
  const shown = (...passes: readonly string[]): Shown => ({
    status: 'COMPLETED',
    sub_status: 'BOARDING_PASS_AVAILABLE',
    checkin_message: null,
    missing_info: [],
    boarding_passes: passes,
  });

  const event = (...passes: readonly string[]) =>
    ({ changes: { status: 'COMPLETED', boarding_passes: passes } }) as unknown as WebhookEvent;

  const changeOf = (pushed: readonly string[], read: readonly string[]) =>
    withoutPassUrls({ before: shown(), after: shown(...read), events: [event(...pushed)], isOver: true });

  test.each([
    { name: 'other URLs of as many passes agree', pushed: ['a', 'b'], read: ['c', 'd'], said: 'holds' },
    { name: 'fewer passes do not', pushed: ['a'], read: ['c', 'd'], said: 'violated' },
    { name: 'nor do none', pushed: [], read: ['c'], said: 'violated' },
  ])('$name', ({ pushed, read, said }) => {
    expect(agreesWith(changeOf(pushed, read)).status).toBe(said);
  });

  test('an empty list and what is no list are not filled', () => {
    expect([[1], [], null, 'text', undefined].map(isFilledList)).toEqual([true, false, false, false, false]);
  });
});
