import { bareObjectOf, type Json, type JsonObject } from '../../trace/body.ts';
import { checkinStatuses } from '../grammar/listQuery.ts';
import * as is from '../kernel/value.ts';
import type { Said } from '../kernel/findings.ts';
import { parseTimestamp } from '../kit/timestamp.ts';
import { place, type By, type Sight } from '../world/sights.ts';

type Value = Json | undefined;
type When = (value: Value, record: JsonObject, by: By) => boolean;

/** What a member has to be, where something is said of it. */
type Form = readonly [rule: string, member: string, want: is.Value, when: When, test: When];

const [complete, available] = ['COMPLETE_INFO', 'BOARDING_PASS_AVAILABLE'];

const isNothing = (value: Value) => value === undefined || value === null;
const isGiven = (value: Value) => value !== undefined;
const isText = (value: Value) => typeof value === 'string';
const isNumber = (value: Value) => typeof value === 'number';
const isList = (value: Value): value is readonly Json[] => Array.isArray(value);
const isFilled = (value: Value): value is readonly Json[] => isList(value) && value.length > 0;
const isEmpty = (value: Value) => isList(value) && value.length === 0;
const isStatus = (value: Value) => (checkinStatuses as readonly Value[]).includes(value);
const equals = (wanted: string) => (value: Value) => value === wanted;
/** An absent member belongs to the rule on the members, which a subscribe has not. */
const isShown: When = (value, _, by) => value !== undefined || by === 'subscribe';
const isRead: When = (value, _, by) => value !== undefined && by !== 'subscribe';
const withSub =
  (sub: string, when: When): When =>
  (value, record, by) =>
    record.sub_status === sub && when(value, record, by);
const isUnnamed: When = (_, { status, missing_info: missing }, by) =>
  by === 'subscribe' && status === 'SCHEDULED' && isFilled(missing);
/** A new booking that lacks something is not begun, however soon its departure is. */
const isIncomplete: When = (status, { message, missing_info: missing }, by) =>
  by === 'subscribe' && message === 'SCHEDULED' && isFilled(missing) && isStatus(status);
const lacksNothing: When = (sub, { status, missing_info: missing }) =>
  status === 'SCHEDULED' && isEmpty(missing) && isText(sub);
const showsPasses: When = (passes, _, by) => by !== 'subscribe' && (!passes || isList(passes));

const besides = (want: is.Value, sub: string) => is.noted(want, `with sub_status ${sub}`);
const scheduled = besides(is.value('SCHEDULED'), complete);
const completed = besides(is.value('COMPLETED'), available);
const named = is.pattern('a name for what is missing');
const stamp = is.pattern(is.timestampForm);
const ordered = is.pattern('not after the departure in any zone');
const ofItsAge = is.pattern('null, or less than a year before created_at');

/** The members of a booking, each alone and beside others. */
const forms: readonly Form[] = [
  ['WCI-SUB-022', 'status', is.oneOf(...checkinStatuses), isShown, isStatus],
  ['WCI-STS-016', 'missing_info', is.type('array'), isShown, isList],
  ['WCI-STS-014', 'checkin_message', is.type('string'), isRead, isText],
  ['WCI-STS-017', 'checkin_id', is.type('string'), isGiven, isText],
  ['WCI-STS-017', 'booking_id', is.type('number'), isGiven, isNumber],
  ['WCI-SUB-023', 'status', scheduled, withSub(complete, isStatus), equals('SCHEDULED')],
  ['WCI-STS-018', 'missing_info', is.pattern('a list of items that are not empty'), isFilled, areNotEmpty],
  ['WCI-RDY-017', 'missing_info', besides(is.value([]), complete), withSub(complete, isList), isEmpty],
  [
    'WCI-RDY-019',
    'sub_status',
    is.noted(is.value(complete), 'with missing_info []'),
    lacksNothing,
    equals(complete),
  ],
  [
    'WCI-SUB-013',
    'sub_status',
    named,
    isUnnamed,
    (sub) => typeof sub === 'string' && sub !== complete && sub.trim() !== '',
  ],
  ['WCI-SUB-012', 'status', is.value('SCHEDULED'), isIncomplete, equals('SCHEDULED')],
  [
    'WCI-SUB-062',
    'boarding_passes',
    is.pattern('an array of HTTPS URLs'),
    (value) => !isNothing(value),
    areUrls,
  ],
  ['WCI-STS-012', 'status', completed, withSub(available, isStatus), equals('COMPLETED')],
  [
    'WCI-STS-015',
    'boarding_passes',
    besides(is.notEmpty, available),
    withSub(available, showsPasses),
    isFilled,
  ],
  // Where a timestamp is not documented, only a text counts as one.
  ['WCI-DT-026', 'created_at', stamp, isTextOr((by) => by === 'list'), isStamp],
  ['WCI-DT-026', 'last_updated', stamp, isTextOr((by) => by !== 'subscribe'), isStamp],
  ['WCI-DT-026', 'scheduled_time', stamp, isTextOr((by, value) => by === 'list' && value !== null), isStamp],
  ['WCI-LST-026', 'scheduled_time', ordered, hasDeparture, isBeforeDeparture],
  [
    'WCI-LST-030',
    'scheduled_time',
    ofItsAge,
    (at, { created_at: made }) => isStamp(at) && isStamp(made),
    isOfItsAge,
  ],
];

/** Taking tuples apart for each record would take longer than the tests. */
const tests = forms.map(([rule, member, want, when, test]) => ({
  ...{ rule, member, want, when, test },
  kept: [rule, null] as Said,
}));

/** Each member of a booking has the form that its values have, and fits the others. */
export function judgeForms(sight: Sight, say: (said: Said) => void): void {
  const { untyped, by } = sight;
  if (by !== 'subscribe') judgeMembers(sight, documented[by], say);
  for (const { rule, member, want, when, test, kept } of tests) {
    const value = untyped[member];
    if (when(value, untyped, by)) say(test(value, untyped, by) ? kept : broken(sight, rule, member, want));
  }
}

export function broken(
  sight: Sight,
  rule: string,
  member: string,
  want: is.Value,
  more: Partial<NonNullable<Said[1]>> = {},
): Said {
  const got = is.value(sight.untyped[member]);
  return [rule, { code: member, at: place(sight, member), want, got, ...more }];
}

/** Where a timestamp is not documented, only a text counts as one. */
function isTextOr(isDocumented: (by: By, value: Value) => boolean): When {
  return (value, _, by) => isText(value) || (value !== undefined && isDocumented(by, value));
}

function isStamp(value: Value): boolean {
  return parseTimestamp(value) !== null;
}

const hourMs = 3_600_000;

function hasDeparture(value: Value, record: JsonObject): boolean {
  return isStamp(value) && latestDeparture(record) !== null;
}

function isBeforeDeparture(value: Value, record: JsonObject): boolean {
  return Number(parseTimestamp(value)) <= Number(latestDeparture(record));
}

/** The latest instant that a clock can mean: no airport is further behind UTC; a date alone may mean any time of that day. */
function latestDeparture({ departure_datetime: clock, departure_date: date }: JsonObject): number | null {
  const text = clock ?? date;
  const [, day, time = '23:59'] =
    (typeof text === 'string' ? /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/.exec(text) : null) ?? [];
  const instant = parseTimestamp(`${day ?? ''}T${time}:59.999Z`);
  return instant === null ? null : instant + 12 * hourMs;
}

/** No check-in window is this long: such a value is a zero, where the document has null. */
function isOfItsAge(value: Value, { created_at: made }: JsonObject): boolean {
  return Number(parseTimestamp(value)) > Number(parseTimestamp(made)) - 366 * 24 * hourMs;
}

function areUrls(passes: Value): boolean {
  return isList(passes) && passes.every((pass) => typeof pass === 'string' && httpsUrl.test(pass));
}

const httpsUrl = /^https:\/\/[^\s/?#]+\S*$/i;

/** The form of an item is not documented; an empty one says nothing. */
function areNotEmpty(items: Value): boolean {
  const says = (item: Json) => typeof item !== 'object' || Object.keys(item ?? {}).length > 0;
  return isList(items) && items.every((item) => (typeof item === 'string' ? item.trim() !== '' : says(item)));
}

type Member = readonly [name: string, test: (value: Value) => boolean];

function membersOf(rule: string, members: readonly Member[]) {
  return { kept: [rule, null] as Said, members: members.map(([name, test]) => ({ name, test })) };
}

const required = (name: string): Member => [name, isGiven];
/** `boarding_passes` is not among them: before completion it may be absent, and after it another rule requires it. */
const everywhere: readonly Member[] = [
  ...['checkin_id', 'booking_id', 'status', 'checkin_message', 'missing_info', 'last_updated'].map(required),
  ['sub_status', isText],
];
const inLists: readonly Member[] = [
  ...everywhere,
  ...['scheduled_time', 'created_at'].map(required),
  ...['origin', 'destination', 'airline', 'flight_number'].map((name): Member => [name, isText]),
  ['pnr', (value) => value === null || isText(value)],
];
const documented = {
  status: membersOf('WCI-STS-005', everywhere),
  alias: membersOf('WCI-STS-005', everywhere),
  update: membersOf('WCI-UPD-032', everywhere),
  list: membersOf('WCI-LST-018', inLists),
} as const;

/** The members that a status shows, and those of an element of a list. */
export const shownMembers = {
  status: everywhere.map(([name]) => name),
  list: inLists.map(([name]) => name),
} as const;

export const formRows = [
  ...new Set([...forms.map(([rule]) => rule), ...Object.values(documented).map(({ kept: [rule] }) => rule)]),
];

/** A booking has all members that are documented for the operation that shows it, a status answer at its top. */
function judgeMembers(
  sight: Sight,
  { kept, members }: ReturnType<typeof membersOf>,
  say: (said: Said) => void,
): void {
  const record = sight.at === '' ? bareObjectOf(sight.exchange) : sight.record;
  if (!record) return;
  const lacking = members.find(({ name, test }) => !test(record[name]));
  if (!lacking) {
    say(kept);
    return;
  }
  const want = lacking.test === isGiven ? is.pattern('present') : is.type('string');
  const got = is.value(record[lacking.name]);
  say(broken(sight, kept[0], lacking.name, want, { code: `shape:${lacking.name}`, got }));
}
