import type { Delivery } from '../../../core/evidence.ts';
import { bodyOf, isObject, type Json, type JsonObject } from '../../kernel/body.ts';
import type { CallbackOracle } from '../../kernel/callbackOracle.ts';
import type { OracleJudgement } from '../../kernel/oracle.ts';
import { describeValue } from '../../kernel/rule.ts';
import { breaks, keeps } from '../../kernel/sample.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { watchWebhooks } from '../webhookBook.ts';
import { changeFields } from '../webhookEvent.ts';

/** What every delivery of a status webhook looks like (Web Check-in, Events). */
export const webhookRequest: CallbackOracle = {
  id: 'webhook-request',
  title: 'every status webhook is a POST of a webcheckin.update event',
  verifies: ['WCI-CB-002', 'WCI-CB-003', 'WCI-CB-009', 'WCI-CB-010', 'WCI-CB-025', 'WCI-DT-027'],
  createWatch: () => watchWebhooks(judge),
};

function judge(delivery: Delivery): readonly OracleJudgement[] {
  const { method } = delivery;
  const posted =
    method === 'POST' ? keeps('WCI-CB-002') : breaks('WCI-CB-002', 'method', 'a POST', `a ${method}`);
  // The sink did not read the whole of it.
  if (delivery.truncated) return [posted];
  const body = bodyOf(delivery);
  if (body.kind === 'none') return [posted, breaks('WCI-CB-003', 'json', 'a JSON object', body.why)];
  if (!isObject(body.value))
    return [posted, breaks('WCI-CB-003', 'object', 'a JSON object', describeValue(body.value))];
  return [posted, keeps('WCI-CB-003'), ...judgeEvent(body.value), judgeName(delivery, body.value)];
}

function judgeEvent(event: JsonObject): readonly OracleJudgement[] {
  const { occurredAt, changes } = event;
  return [
    judgeMembers(event),
    ...(occurredAt === undefined ? [] : [judgeTime(occurredAt)]),
    ...(isObject(changes) ? [judgeChanges(changes)] : []),
  ];
}

function judgeMembers({ occurredAt, checkin_id: id, changes }: JsonObject): OracleJudgement {
  if (occurredAt === undefined)
    return breaks('WCI-CB-009', 'occurredAt', 'a member occurredAt', 'a body without it');
  if (typeof id !== 'string')
    return breaks('WCI-CB-009', 'checkin_id', 'checkin_id as a string', `checkin_id ${describeValue(id)}`);
  if (!isObject(changes))
    return breaks('WCI-CB-009', 'changes', 'changes as an object', `changes ${describeValue(changes)}`);
  return keeps('WCI-CB-009');
}

function judgeTime(occurredAt: Json): OracleJudgement {
  if (parseTimestamp(occurredAt) !== null) return keeps('WCI-DT-027');
  const expected = 'occurredAt as YYYY-MM-DDTHH:mm:ss.sssZ';
  return breaks('WCI-DT-027', 'form', expected, `occurredAt ${describeValue(occurredAt)}`);
}

/** A further member is no violation, and boarding passes that are not there may be told as null. */
function judgeChanges(changes: JsonObject): OracleJudgement {
  const told = changeFields.filter((field) => changes[field] !== undefined);
  if (told.length === 0)
    return breaks('WCI-CB-010', 'empty', `one of ${changeFields.join(', ')}`, describeValue(changes));
  const wrong = told.find((field) => !isOfType(field, changes[field]));
  if (wrong === undefined) return keeps('WCI-CB-010');
  const expected = `changes.${wrong} as ${typeNames[wrong]}`;
  return breaks('WCI-CB-010', wrong, expected, `changes.${wrong} ${describeValue(changes[wrong])}`);
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
/** What looks like the name of an event; anything else in such a place may mean anything. */
const eventForm = /^[a-z][\w-]*([.:][\w-]+)+$/i;

/** The name of the event need not appear; where one does, it is that of the only kind of event. */
function judgeName({ headers }: Delivery, body: JsonObject): OracleJudgement {
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
    return breaks('WCI-CB-025', 'event', 'webcheckin.update', `${stray[0]} ${describeValue(stray[1])}`);
  return body.fid === undefined || body.checkin_id !== undefined
    ? keeps('WCI-CB-025')
    : breaks('WCI-CB-025', 'flight', 'webcheckin.update', 'an event of a flight, with a fid');
}
