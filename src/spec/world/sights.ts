import { onceForLatest } from '../../core/latest.ts';
import type { Exchange } from '../../core/evidence.ts';
import {
  isDocumented,
  isObject,
  objectOf,
  onceForAnswers,
  readAnswer,
  type JsonObject,
} from '../../trace/body.ts';
import { callOf } from '../../trace/call.ts';

/** The kinds of answers that show a booking; they differ in the members that they document. */
export type By = 'subscribe' | 'update' | 'status' | 'alias' | 'list';

interface Shown {
  /** Its place in the body, such as `data[3]`; empty for the body itself. */
  readonly at: string;
  readonly record: JsonObject;
  /** The same with the types in which its members came. */
  readonly untyped: JsonObject;
}

/** One answer's view of a booking. */
export interface Sight extends Shown {
  readonly by: By;
  readonly exchange: Exchange;
}

const none: readonly never[] = Object.freeze([]);

/** The bookings that a successful answer shows. A rejected journey shows none. */
export function sightsIn(exchange: Exchange): readonly Sight[] {
  return exchange.operation?.startsWith('wci.') === true ? seen(exchange) : none;
}

const seen = onceForLatest((exchange: Exchange): readonly Sight[] => {
  if (!isDocumented(exchange)) return none;
  const by = byOf(exchange);
  const shown = shownIn(exchange.operation, exchange.outcome.response.body);
  // No spread: this is made for every item of every list.
  return shown.map(({ at, record, untyped }) => ({ at, record, untyped, by, exchange }));
});

function byOf(exchange: Exchange): By {
  if (exchange.operation === 'wci.subscribe') return 'subscribe';
  if (exchange.operation !== 'wci.status') return exchange.operation === 'wci.list' ? 'list' : 'update';
  const { checkin_id: main, checkinId: alias } = callOf(exchange)?.query ?? {};
  return alias !== undefined && main === undefined ? 'alias' : 'status';
}

/** A 200 that rejects the journey, one of the open readings; only operations that check a journey can reject it. */
export function isRejectedJourney(exchange: Exchange): boolean {
  return isDocumented(exchange) && rejects(exchange.operation, objectOf(exchange));
}

function rejects(operation: string, body: JsonObject | null): boolean {
  return (operation === 'wci.subscribe' || operation === 'wci.update') && body?.message === 'REJECTED';
}

/** A page has 100 at most. */
const mostItems = 1000;

const shownIn = onceForAnswers((operation, bytes): readonly Shown[] => {
  const { typed: body, untyped } = readAnswer(operation, bytes);
  if (!isObject(body) || !isObject(untyped) || rejects(operation, body)) return none;
  if (operation === 'wci.subscribe' || operation === 'wci.status') return [{ at: '', record: body, untyped }];
  const [{ data }, { data: bare }] = [body, untyped];
  if (operation === 'wci.update')
    return isObject(data) && isObject(bare) ? [{ at: 'data', record: data, untyped: bare }] : none;
  if (!Array.isArray(data)) return none;
  const items = bare as readonly JsonObject[];
  return (data as readonly unknown[])
    .slice(0, mostItems)
    .flatMap((record, index): readonly Shown[] =>
      isObject(record) ? [{ at: `data[${index}]`, record, untyped: items[index] ?? record }] : none,
    );
});

/** Whether a booking that waits is shown to lack nothing; undefined where it is not shown. */
export function completeIn({ missing_info: missing, status }: JsonObject): boolean | undefined {
  return Array.isArray(missing) && status === 'SCHEDULED' ? missing.length === 0 : undefined;
}

/** A member of a booking at its place in the body: `data[3].status`, or `status` at the top. */
export function place({ at }: Pick<Sight, 'at'>, member: string): string {
  return at === '' ? member : `${at}.${member}`;
}
