import type { Delivery } from '../../../core/evidence.ts';
import { bodyOf, isObject, type Json, type JsonObject } from '../../kernel/body.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { describeValue } from '../../kernel/rule.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { watchWebhooks } from '../webhookBook.ts';
import { changeFields } from '../webhookEvent.ts';
import { checkinStatuses } from '../../../spec/grammar/listQuery.ts';

/** What every delivery of a status webhook looks like (Web Check-in, Events). */
export const webhookRequest: Oracle = {
  id: 'webhook-request',
  title: 'every status webhook is a POST of a webcheckin.update event',
  verifies: [
    ...['WCI-CB-002', 'WCI-CB-003', 'WCI-CB-009', 'WCI-CB-010', 'WCI-CB-025', 'WCI-DT-027'],
    'WCI-SUB-022',
  ],
  operations: ['wci.subscribe'],
  createWatch: () => watchWebhooks(judge),
};

function judge(delivery: Delivery): readonly Sample[] {
  const { method } = delivery;
  const posted =
    method === 'POST'
      ? sampleOf('WCI-CB-002', holds)
      : sampleOf('WCI-CB-002', violated('method', 'a POST', `a ${method}`));
  // The sink did not read the whole of it.
  if (delivery.truncated) return [posted];
  const body = bodyOf(delivery);
  if (body.kind === 'none')
    return [posted, sampleOf('WCI-CB-003', violated('json', 'a JSON object', body.why))];
  if (!isObject(body.value))
    return [posted, sampleOf('WCI-CB-003', violated('object', 'a JSON object', describeValue(body.value)))];
  return [posted, sampleOf('WCI-CB-003', holds), ...judgeEvent(body.value), judgeName(delivery, body.value)];
}

function judgeEvent(event: JsonObject): readonly Sample[] {
  const { occurredAt, checkin_id: id, changes } = event;
  return [
    judgeMembers(event),
    ...(occurredAt === undefined ? [] : [judgeTime(occurredAt)]),
    ...(isObject(changes) ? [judgeChanges(changes)] : []),
    // What names no record may be an event of something else.
    ...(isObject(changes) && id !== undefined ? judgeStatus(changes) : []),
  ];
}

function judgeMembers({ occurredAt, checkin_id: id, changes }: JsonObject): Sample {
  if (occurredAt === undefined)
    return sampleOf('WCI-CB-009', violated('occurredAt', 'a member occurredAt', 'a body without it'));
  if (typeof id !== 'string')
    return sampleOf(
      'WCI-CB-009',
      violated('checkin_id', 'checkin_id as a string', `checkin_id ${describeValue(id)}`),
    );
  if (!isObject(changes))
    return sampleOf(
      'WCI-CB-009',
      violated('changes', 'changes as an object', `changes ${describeValue(changes)}`),
    );
  return sampleOf('WCI-CB-009', holds);
}

function judgeTime(occurredAt: Json): Sample {
  if (parseTimestamp(occurredAt) !== null) return sampleOf('WCI-DT-027', holds);
  const expected = 'occurredAt as YYYY-MM-DDTHH:mm:ss.sssZ';
  return sampleOf('WCI-DT-027', violated('form', expected, `occurredAt ${describeValue(occurredAt)}`));
}

/** A further member is no violation, and missing boarding passes may be null. */
function judgeChanges(changes: JsonObject): Sample {
  const told = changeFields.filter((field) => changes[field] !== undefined);
  if (told.length === 0)
    return sampleOf(
      'WCI-CB-010',
      violated('empty', `one of ${changeFields.join(', ')}`, describeValue(changes)),
    );
  const wrong = told.find((field) => !isOfType(field, changes[field]));
  if (wrong === undefined) return sampleOf('WCI-CB-010', holds);
  const expected = `changes.${wrong} as ${typeNames[wrong]}`;
  return sampleOf(
    'WCI-CB-010',
    violated(wrong, expected, `changes.${wrong} ${describeValue(changes[wrong])}`),
  );
}

const known: ReadonlySet<string> = new Set(checkinStatuses);

/** A webhook has no other statuses than answers have. */
function judgeStatus({ status }: JsonObject): readonly Sample[] {
  if (typeof status !== 'string') return [];
  if (known.has(status)) return [sampleOf('WCI-SUB-022', holds)];
  const expected = `changes.status as one of ${checkinStatuses.join(', ')}`;
  return [sampleOf('WCI-SUB-022', violated('status', expected, `changes.status ${describeValue(status)}`))];
}

const typeNames: Readonly<Record<(typeof changeFields)[number], string>> = {
  status: 'a string',
  sub_status: 'a string',
  checkin_message: 'a string',
  missing_info: 'an array',
  boarding_passes: 'an array of strings',
};

function isOfType(field: (typeof changeFields)[number], value: Json | undefined): boolean {
  if (field === 'missing_info') return Array.isArray(value);
  if (field !== 'boarding_passes') return typeof value === 'string';
  const passes = value as readonly unknown[] | null;
  return passes === null || (Array.isArray(passes) && passes.every((pass) => typeof pass === 'string'));
}

const eventMembers = ['event', 'eventName', 'event_name', 'eventType', 'event_type', 'type'];
const eventHeader = /^(x-)?([a-z-]+-)?event(-(name|type))?$/i;
/** What looks like the name of an event; any other value there may mean something else. */
const eventForm = /^[a-z][\w-]*([.:][\w-]+)+$/i;

/** The name of the event need not appear; if it does, it is that of the only kind of event. */
function judgeName({ headers }: Delivery, body: JsonObject): Sample {
  const named = [
    ...eventMembers.map((member) => [`member ${member}`, body[member]] as const),
    ...headers.map(([name, value]) => [`header ${name}`, eventHeader.test(name) ? value : ''] as const),
  ];
  const stray = named.find(
    ([, value]) =>
      typeof value === 'string' &&
      eventForm.test(value) &&
      !value.toLowerCase().includes('webcheckin.update'),
  );
  if (stray)
    return sampleOf(
      'WCI-CB-025',
      violated('event', 'webcheckin.update', `${stray[0]} ${describeValue(stray[1])}`),
    );
  return body.fid === undefined || body.checkin_id !== undefined
    ? sampleOf('WCI-CB-025', holds)
    : sampleOf('WCI-CB-025', violated('flight', 'webcheckin.update', 'an event of a flight, with a fid'));
}
