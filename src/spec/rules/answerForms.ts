import type { Exchange, RecordedResponse } from '../../core/evidence.ts';
import {
  bareObjectOf,
  bodyOf,
  headerOf,
  isObject,
  memberOf,
  objectOf,
  responseOf,
  type Json,
  type JsonObject,
} from '../../trace/body.ts';
import type { Findings } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { jsonWords } from '../wording/words.ts';
import { isRejectedJourney, sightsIn } from '../world/sights.ts';
import { isJsonType } from '../grammar/headers.ts';
import { noObject, wrongType } from './bodyForms.ts';

type Value = Json | undefined;
/** What a member has to be. */
type Form = readonly [rule: string, member: string, want: is.Value, test: (value: Value) => boolean];

const isText = (value: Value) => typeof value === 'string';
const isFilled = (value: Value) => typeof value === 'string' && value.trim() !== '';
const isNumber = (value: Value) => Number.isFinite(value);
const isCount = (value: Value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isOneOf = (values: readonly string[]) => (value: Value) =>
  typeof value === 'string' && values.includes(value);

const [messages, kinds] = [
  ['SCHEDULED', 'ALREADY_SUBSCRIBED', 'REJECTED'],
  ['passengers', 'pnr'],
];
const count = is.pattern('an integer of at least 0');

const ofSubscribes: readonly Form[] = [['WCI-SUB-009', 'message', is.oneOf(...messages), isOneOf(messages)]];
const ofAccepted: readonly Form[] = [
  ['WCI-SUB-006', 'checkin_id', is.pattern('a non-empty string'), isFilled],
  ['WCI-SUB-007', 'booking_id', is.type('number'), isNumber],
  ['WCI-SUB-008', 'status_message', is.type('string'), isText],
];
const ofRejected: readonly Form[] = [['WCI-SUB-010', 'reason', is.pattern('a text'), isFilled]];
const ofQuotas: readonly Form[] = [
  ['WCI-SUB-011', 'included_units', is.type('number'), isNumber],
  ['WCI-SUB-011', 'consumed_units', is.type('number'), isNumber],
];
const ofUpdates: readonly Form[] = [
  ['WCI-UPD-031', 'type', is.oneOf(...kinds), isOneOf(kinds)],
  ['WCI-UPD-031', 'operation', is.oneOf('update'), isOneOf(['update'])],
  ['WCI-UPD-031', 'data', is.pattern('an object'), isObject],
];
const ofLists: readonly Form[] = [
  ['WCI-LST-001', 'data', is.type('array'), Array.isArray],
  ['WCI-LST-001', 'pagination', is.pattern('an object'), isObject],
];
const ofPagination: readonly Form[] = [
  // A page is shown as it was requested, however large: beyond what a double holds exactly it is still an integer.
  ['WCI-LST-016', 'page', count, (value) => Number.isInteger(value) && Number(value) >= 0],
  ...['limit', 'total', 'totalPages'].map((member): Form => ['WCI-LST-016', member, count, isCount]),
];

const units = 'WCI-QTA-009';

export const answerRows = [
  ...new Set(
    [ofSubscribes, ofAccepted, ofRejected, ofQuotas, ofUpdates, ofLists, ofPagination]
      .flat()
      .map(([rule]) => rule),
  ),
  ...[
    'SHR-ERR-006',
    units,
    'WCI-LST-005',
    'WCI-LST-015',
    'WCI-LST-019',
    'SHR-ERR-028',
    'SHR-ERR-029',
    'SHR-ERR-034',
  ],
];

/** The members of a web check-in answer besides the bookings that it shows. */
export function judgeAnswer(exchange: Exchange, findings: Findings): void {
  const { operation } = exchange;
  const response = responseOf(exchange);
  // The other of the two forms in which a journey is rejected.
  if (operation === 'wci.subscribe' && response?.status === 422)
    for (const [rule] of ofRejected) findings.waive(rule);
  if (response) judgeContext(exchange, response, findings);
  if (response?.status !== 200 || operation?.startsWith('wci.') !== true) return;
  if (!response.truncated) judgeFrame(exchange, response, findings);
  const body = bareObjectOf(exchange);
  if (operation === 'wci.subscribe' && body) judgeSubscribe(exchange, body, findings);
  if (operation === 'wci.update' && body && !isRejectedJourney(exchange)) judgeAll(ofUpdates, body, findings);
  if (operation === 'wci.list') judgeList(exchange, body ?? {}, findings);
}

/** After these, waiting does not help; a 409 or 500 may well say when to try again. */
const finalStatuses: ReadonlySet<number> = new Set([400, 401, 402, 404, 422]);

/** No error that waiting does not help carries retryAfter. */
function judgeContext(exchange: Exchange, { status }: RecordedResponse, findings: Findings): void {
  const body = finalStatuses.has(status) ? objectOf(exchange) : null;
  if (!body || exchange.operation?.startsWith('wci.') !== true) return;
  const retryAfter = body.retryAfter ?? null;
  findings.check('SHR-ERR-006', retryAfter === null, () => ({
    ...{ code: 'context', at: 'retryAfter', want: is.noted(is.absent, 'except on a 429') },
    got: is.noted(is.value(retryAfter), `with HTTP ${status}`),
  }));
}

function judgeAll(forms: readonly Form[], object: JsonObject, findings: Findings, at = ''): void {
  for (const [rule, member, want, test] of forms)
    findings.check(rule, test(object[member]), () => ({
      ...{ code: `shape:${member}`, at: at === '' ? member : `${at}.${member}`, want },
      got: is.value(object[member]),
    }));
}

/** A JSON object that says that it is one, and that it is a success. */
function judgeFrame(exchange: Exchange, response: RecordedResponse, findings: Findings): void {
  const [rule, body] = ['SHR-ERR-028', bodyOf(response)];
  if (body.kind === 'none' || !isObject(body.value)) {
    findings.break(rule, noObject(body));
    return;
  }
  const { success } = body.value;
  const type = headerOf(response, 'content-type');
  const isFlag = typeof success === 'boolean';
  findings.check(rule, isFlag, () => shape('success', is.type('boolean'), success));
  findings.check(rule, isJsonType(type), () => wrongType(type));
  const said = objectOf(exchange);
  const row = said && successRow(exchange, said.message);
  if (isFlag && isJsonType(type) && row != null)
    findings.check(row, said?.success === true, () => shape('success', is.oneOf(true), said?.success));
}

function shape(at: string, want: is.Value, got: unknown) {
  return { code: 'shape', at, want, got: is.value(got) };
}

/** A rejected journey may say false; for a message that is not documented, the documents require nothing. */
function successRow(exchange: Exchange, message: unknown): string | null {
  if (isRejectedJourney(exchange)) return null;
  if (exchange.operation !== 'wci.subscribe' || message === 'SCHEDULED') return 'SHR-ERR-029';
  return message === 'ALREADY_SUBSCRIBED' ? 'SHR-ERR-034' : null;
}

function judgeSubscribe(exchange: Exchange, body: JsonObject, findings: Findings): void {
  judgeAll(ofSubscribes, body, findings);
  const isRejected = isRejectedJourney(exchange);
  // A rejected journey has a reason and no record of its own, so nothing else is certain about its members.
  judgeAll(isRejected ? ofRejected : ofAccepted, body, findings);
  const { quota } = body;
  if (quota === undefined || quota === null) for (const rule of ['WCI-SUB-011', units]) findings.waive(rule);
  else if (isObject(quota)) judgeAll(ofQuotas, quota, findings, 'quota');
  else judgeAll([['WCI-SUB-011', 'quota', is.type('object'), isObject]], body, findings);
  if (!isRejected && isObject(quota)) judgeUnits(exchange, findings);
}

/** No new booking is accepted beyond the quota. A repeated subscribe is served also after units were taken away. */
function judgeUnits(exchange: Exchange, findings: Findings): void {
  const [included, consumed] = ['included_units', 'consumed_units'].map((name) =>
    memberOf(exchange, 'quota', name),
  );
  if (typeof included !== 'number' || typeof consumed !== 'number') return;
  const isWithin = consumed <= included;
  // A negative number is a way to say unlimited.
  if (!isWithin && (included < 0 || memberOf(exchange, 'message') !== 'SCHEDULED')) return;
  const want = is.pattern(`at most included_units, which is ${included}`);
  const at = 'quota.consumed_units';
  findings.check(units, isWithin, () => ({ code: 'overrun', at, want, got: is.value(consumed) }));
}

function judgeList(exchange: Exchange, body: JsonObject, findings: Findings): void {
  if (objectOf(exchange) === null) return;
  judgeAll(ofLists, body, findings);
  const odd = Array.isArray(body.data)
    ? (body.data as readonly Json[]).findIndex((one) => !isObject(one))
    : -1;
  findings.check('WCI-LST-001', odd < 0, () => ({
    ...{ code: 'shape:data', at: `data[${odd}]`, want: is.pattern('an object') },
    got: is.value((body.data as readonly Json[])[odd]),
  }));
  judgeItems(exchange, findings);
  const pagination = memberOf(exchange, 'pagination');
  if (isObject(pagination)) judgePagination(pagination, findings);
}

function judgePagination(pagination: JsonObject, findings: Findings): void {
  judgeAll(ofPagination, pagination, findings, 'pagination');
  const { limit, total, totalPages } = pagination;
  if (!ofPagination.every(([, member, , test]) => test(pagination[member])) || Number(limit) < 1) return;
  const pages = Math.ceil(Number(total) / Number(limit));
  // Whether an empty list has no page or one is open.
  const isRight = totalPages === pages || (total === 0 && totalPages === 1);
  findings.check('WCI-LST-015', isRight, () => ({
    ...{ code: 'pages', at: 'pagination.totalPages', want: is.value(pages) },
    got: is.value(totalPages, `with total ${jsonWords(total)} and limit ${jsonWords(limit)}`),
  }));
}

function judgeItems(exchange: Exchange, findings: Findings): void {
  const items = sightsIn(exchange);
  const [first] = items;
  if (!first) return;
  const ids = items.map(({ record }) => record.checkin_id).filter((id) => typeof id === 'string');
  const repeated = new Set(ids).size < ids.length && ids.find((id, index) => ids.indexOf(id) !== index);
  if (typeof repeated === 'string')
    findings.break('WCI-LST-005', {
      ...{ code: 'repeated', at: 'data[].checkin_id', want: is.whose('another record in each item') },
      got: is.value(repeated, 'twice in one page'),
    });
  const nameless = items.find(({ record }) => departureNames(record).length === 0);
  const common = departureNames(first.record).filter((name) =>
    items.every(({ record }) => isFilled(record[name])),
  );
  const want = is.pattern('an object with departure_datetime or departure_date, named alike in every item');
  findings.check('WCI-LST-019', !nameless && common.length > 0, () => ({
    ...{ code: 'departure', at: nameless?.at ?? 'data', want },
    got: nameless
      ? is.value(Object.keys(nameless.record))
      : is.text('one name in some items and the other in others'),
  }));
}

function departureNames(record: JsonObject): readonly string[] {
  return ['departure_datetime', 'departure_date'].filter((name) => isFilled(record[name]));
}
