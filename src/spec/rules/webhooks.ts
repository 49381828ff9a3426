import type { Delivery } from '../../core/evidence.ts';
import { bodyOf, isObject, type Json, type JsonObject } from '../../trace/body.ts';
import { authHeaders, valuesNamed } from '../grammar/headers.ts';
import { checkinStatuses } from '../grammar/listQuery.ts';
import { parseTimestamp } from '../kit/timestamp.ts';
import { wrong, type Wrong, type Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import type { AuthHeader, Hooked, Hooks, Registration } from '../world/hooks.ts';
import { changeFields } from '../world/webhookEvent.ts';
import { addressFault, signatureFault } from './deliveries.ts';

/** What every delivery of a status webhook looks like (Web Check-in, Events). */
export function judgeForm({ delivery }: Hooked): readonly Said[] {
  const { method, truncated } = delivery;
  const posted: Said = [
    'WCI-CB-002',
    method === 'POST' ? null : wrong('method', 'method', is.value('POST'), is.value(method)),
  ];
  // The sink did not read the whole of it.
  if (truncated) return [posted];
  const body = bodyOf(delivery);
  if (body.kind === 'none')
    return [posted, ['WCI-CB-003', wrong('json', 'body', is.type('object'), is.text(body.why))]];
  const { value } = body;
  if (!isObject(value))
    return [posted, ['WCI-CB-003', wrong('object', 'body', is.type('object'), is.value(value))]];
  return [posted, ['WCI-CB-003', null], ...judgeEvent(value), ['WCI-CB-025', nameFault(delivery, value)]];
}

function judgeEvent(event: JsonObject): readonly Said[] {
  const { occurredAt, checkin_id: id, changes } = event;
  const time = is.pattern(is.timestampForm);
  const missing =
    occurredAt === undefined
      ? wrong('occurredAt', 'occurredAt', time, is.absent)
      : typeof id !== 'string'
        ? wrong('checkin_id', 'checkin_id', is.type('string'), is.value(id))
        : isObject(changes)
          ? null
          : wrong('changes', 'changes', is.type('object'), is.value(changes));
  const isTime = parseTimestamp(occurredAt) !== null;
  const atTime = isTime ? null : wrong('form', 'occurredAt', time, is.value(occurredAt));
  return [
    ['WCI-CB-009', missing],
    ...(occurredAt === undefined ? [] : [['WCI-DT-027', atTime] as const]),
    ...(isObject(changes) ? [['WCI-CB-010', changesFault(changes)] as const] : []),
    // What names no record may be an event of something else.
    ...(isObject(changes) && id !== undefined ? judgeStatus(changes) : []),
  ];
}

/** A further member is no violation, and missing boarding passes may be null. */
function changesFault(changes: JsonObject): Wrong | null {
  const told = changeFields.filter((field) => changes[field] !== undefined);
  const fields = is.pattern(`an object with one of ${changeFields.join(', ')}`);
  if (told.length === 0) return wrong('empty', 'changes', fields, is.value(changes));
  const field = told.find((name) => !isOfType(name, changes[name]));
  return field === undefined
    ? null
    : wrong(field, `changes.${field}`, types[field], is.value(changes[field]));
}

const types: Readonly<Record<(typeof changeFields)[number], is.Value>> = {
  status: is.type('string'),
  sub_status: is.type('string'),
  checkin_message: is.type('string'),
  missing_info: is.type('array'),
  boarding_passes: is.pattern('an array of strings'),
};

function isOfType(field: (typeof changeFields)[number], value: Json | undefined): boolean {
  if (field === 'missing_info') return Array.isArray(value);
  if (field !== 'boarding_passes') return typeof value === 'string';
  const passes = value as readonly unknown[] | null;
  return passes === null || (Array.isArray(passes) && passes.every((pass) => typeof pass === 'string'));
}

/** A webhook has no other statuses than answers have. */
function judgeStatus({ status }: JsonObject): readonly Said[] {
  if (typeof status !== 'string') return [];
  const isKnown = checkinStatuses.some((known) => known === status);
  const fault = wrong('status', 'changes.status', is.oneOf(...checkinStatuses), is.value(status));
  return [['WCI-SUB-022', isKnown ? null : fault]];
}

const eventMembers = ['event', 'eventName', 'event_name', 'eventType', 'event_type', 'type'];
const eventHeader = /^(x-)?([a-z-]+-)?event(-(name|type))?$/i;
/** What looks like the name of an event; any other value there may mean something else. */
const eventForm = /^[a-z][\w-]*([.:][\w-]+)+$/i;

/** The name of the event need not appear; if it does, it is that of the only kind of event. */
function nameFault({ headers }: Delivery, body: JsonObject): Wrong | null {
  const named: readonly (readonly [at: string, value: unknown])[] = [
    ...eventMembers.map((member) => [member, body[member]] as const),
    ...headers
      .filter(([name]) => eventHeader.test(name))
      .map(([name, value]) => [`header ${name}`, value] as const),
  ];
  const isStray = (value: unknown) =>
    typeof value === 'string' && eventForm.test(value) && !value.toLowerCase().includes('webcheckin.update');
  const stray = named.find(([, value]) => isStray(value));
  if (stray) return wrong('event', stray[0], is.value('webcheckin.update'), is.value(stray[1]));
  const isOfFlight = body.fid !== undefined && body.checkin_id === undefined;
  return isOfFlight ? wrong('flight', 'fid', is.absent, is.value(body.fid)) : null;
}

/** How a delivery is authorized: by the configured header alone, as it is, without a signature (Authentication 7). */
export function judgeHeaders({ delivery, registered }: Hooked, { recent }: Hooks): readonly Said[] {
  const headers = headersOf(registered);
  const unsigned: Said = ['WCI-CB-008', signatureFault(delivery)];
  const [first] = headers;
  if (!first) return [unsigned];
  const present = headers.filter(({ name }) => valuesOf(delivery, name).length > 0);
  const lacking =
    present.length === 0
      ? wrong('absent', `header ${first.name}`, is.pattern('the configured value'), gotNone(delivery))
      : foreignFault(delivery, present, { headers, others: headersOf(recent) });
  const names = headers.map(({ name }) => name.toLowerCase());
  const stray = authHeaders.find(
    (name) => !names.includes(name.toLowerCase()) && valuesOf(delivery, name).length > 0,
  );
  return [
    ['WCI-CB-005', lacking],
    ...(lacking ? [] : [['WCI-CB-006', alteredFault(delivery, present)] as const]),
    [
      'WCI-CB-007',
      stray === undefined
        ? null
        : wrong('both', `header ${stray}`, is.absent, is.text(`a header ${stray} as well`)),
    ],
    unsigned,
  ];
}

/** The value of another registration. */
function foreignFault(
  delivery: Delivery,
  present: readonly AuthHeader[],
  { headers, others }: { readonly headers: readonly AuthHeader[]; readonly others: readonly AuthHeader[] },
): Wrong | null {
  const isOthers = ({ name }: AuthHeader) =>
    valuesOf(delivery, name).every(
      (sent) =>
        others.some(({ value }) => isSent(value, sent)) && !headers.some((own) => isSent(own.value, sent)),
    );
  const got = is.text('the value of another registration');
  const at = `header ${present[0]?.name ?? ''}`;
  return present.every(isOthers)
    ? wrong('foreign', at, is.text('the value of this registration'), got)
    : null;
}

/** The value as it was configured, byte for byte. */
function alteredFault(delivery: Delivery, present: readonly AuthHeader[]): Wrong | null {
  const [first] = present;
  const isKept = present.some(({ name, value }) =>
    valuesOf(delivery, name).some((sent) => isSent(value, sent)),
  );
  if (!first || isKept) return null;
  const [sent = ''] = valuesOf(delivery, first.name);
  const want = is.text(`the configured value of ${first.name}`);
  return wrong('altered', `header ${first.name}`, want, is.text(alterationOf(first.value, sent)));
}

function headersOf(registered: readonly Registration[]): readonly AuthHeader[] {
  return registered.flatMap(({ header }) => header ?? []);
}

function valuesOf({ headers }: Delivery, wanted: string): readonly string[] {
  return valuesNamed(headers, wanted);
}

function gotNone({ headers }: Delivery): is.Value {
  return is.noted(is.absent, `the headers are ${headers.map(([name]) => name).join(', ')}`);
}

/** Characters beyond ASCII may be sent as UTF-8 or Latin-1: no document says which. */
function isSent(configured: string, sent: string): boolean {
  const value = sent.trim();
  return value === configured || value === Buffer.from(configured, 'utf8').toString('latin1');
}

/** How a value was altered, without the value: an altered secret is still a secret. */
function alterationOf(configured: string, sent: string): string {
  if (sent.includes(configured)) return `the same value ${between(sent.split(configured))}`;
  if (sent.toLowerCase() === configured.toLowerCase()) return 'the same value in other letter case';
  if (configured === `"${sent}"`) return 'the same value without quotation marks';
  const scheme = configured.endsWith(sent) ? /^\w{1,10} +$/.exec(configured.slice(0, -sent.length))?.[0] : '';
  if (scheme) return `the same value without ${JSON.stringify(scheme)} before it`;
  if (configured.includes(sent)) return 'a part of it';
  if (unspaced(sent) === unspaced(configured)) return 'the same value with other white space';
  const added = addedTo(configured, sent);
  if (added !== null) return added;
  if (unescaped(sent) === configured) return 'the same value with characters escaped or encoded';
  return sent.length === configured.length
    ? `another value of the same length, ${sent.length} characters`
    : `another value, of ${sent.length} characters instead of ${configured.length}`;
}

const isMark = (text: string) => text !== '' && !/[\p{L}\p{N}]/u.test(text);

/** `the same value with 4 characters more: "\\" before each of 4 "\""`, if one mark was added in places; else null. */
function addedTo(configured: string, sent: string): string | null {
  const [whole, wanted] = [Array.from(sent), Array.from(configured)];
  let at = 0;
  const added = whole.flatMap((character, index) => {
    if (character !== wanted[at]) return [{ mark: character, next: whole[index + 1] ?? '' }];
    at += 1;
    return [];
  });
  const [first] = added;
  if (at < wanted.length || first === undefined || !isMark(first.mark)) return null;
  if (added.some(({ mark }) => mark !== first.mark)) return null;
  const { length } = added;
  const more = `the same value with ${length} ${length === 1 ? 'character' : 'characters'} more: ${JSON.stringify(first.mark)}`;
  // A letter that follows is part of the secret.
  const isBefore = isMark(first.next) && added.every(({ next }) => next === first.next);
  return isBefore
    ? `${more} before ${length === 1 ? '' : `each of ${length} `}${JSON.stringify(first.next)}`
    : more;
}

function between([before = '', ...rest]: readonly string[]): string {
  const sides = [
    ['after', before],
    ['before', rest.join('')],
  ];
  return sides
    .flatMap(([side, text]) => (text ? [`${side ?? ''} ${JSON.stringify(text)}`] : []))
    .join(' and ');
}

function unspaced(text: string): string {
  return text.replace(/\s+/g, '');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text).replace(/\\(.)/g, '$1');
  } catch {
    return text;
  }
}

/** Where a status webhook goes: to the address that was registered for its record, as it was registered. */
export function judgeRecipient({ delivery, checkinId, registered }: Hooked, hooks: Hooks): readonly Said[] {
  const address = addressFault(
    delivery,
    registered.map(({ url }) => url),
  );
  if (checkinId === null) return [['WCI-CB-004', address]];
  const record = hooks.record(checkinId);
  const owners = registered.map(({ enterprise }) => enterprise);
  const got = is.value(checkinId);
  if (!record) {
    // It may have been made by a subscribe whose answer was lost.
    const mayBeMade = owners.some((enterprise) => !hooks.knowsAll(enterprise));
    const want = is.pattern('that of a request with this address');
    return mayBeMade ? [] : [['WCI-CB-004', wrong('unknown', 'checkin_id', want, got)]];
  }
  const { enterprise, urls } = record;
  if (!owners.includes(enterprise)) {
    const want = is.pattern(`that of a request of ${owners.join(', ')}`);
    return [
      [
        'WCI-CB-022',
        wrong('enterprise', 'checkin_id', want, is.noted(got, `of ${enterprise ?? 'another enterprise'}`)),
      ],
    ];
  }
  const isWhole = hooks.knowsAll(enterprise);
  if (urls.size === 0 && isWhole)
    return [
      [
        'WCI-CB-014',
        wrong('unasked', 'callback', is.absent, is.text(`one for ${checkinId}, which has no callbackData`)),
      ],
    ];
  const isOwn = registered.some(({ url }) => urls.has(url)) || !isWhole;
  return [
    // It keeps to the rule only where it could have come to the address of another enterprise.
    ...(hooks.hasForeign(enterprise, urls) ? [['WCI-CB-022', null] as const] : []),
    [
      'WCI-CB-004',
      isOwn ? address : wrong('record', 'callback', is.text([...urls].join(', ')), ofAnother(registered)),
    ],
  ];
}

function ofAnother([first]: readonly Registration[]): is.Value {
  return is.text(
    `${first?.url ?? ''}, the address that ${first?.by.id ?? 'another request'} gave for another record`,
  );
}
