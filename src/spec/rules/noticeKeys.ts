import type { Delivery } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { isObject } from '../../trace/body.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { authorization, valuesNamed } from '../grammar/headers.ts';
import type { Findings } from '../kernel/findings.ts';
import { absent, text, value, type Value } from '../kernel/value.ts';
import type { FlightCallback, FlightCallbacks } from '../world/flightCallbacks.ts';

interface Event {
  readonly authorization: string;
  readonly fid: string;
  readonly wasAccepted: boolean;
}

/** Most events of one address that are remembered to recognise repetitions; the latest ones. */
const mostEvents = 20;

/** The key and the fid of a flight notification, also of one that comes again. What is found never holds a key. */
export class NoticeKeys {
  /** What the first delivery of each event carried. */
  readonly #first = new RecentMap<string, Map<string, Event>>();

  judge(delivery: Delivery, callbacks: FlightCallbacks, findings: Findings): void {
    const registered = callbacks.of(delivery);
    const body = deliveredObject(delivery);
    if (mayBeOfAnother(delivery, registered)) {
      findings.doubt('FLA-CB-003', `${delivery.id}: it may be of a registration that nobody saw`);
      return;
    }
    judgeKey(delivery, registered, callbacks.apiKeys, findings);
    const supplied = registered.flatMap((one) => [...one.supplied]);
    if (supplied.length > 0) judgeSupplied(delivery, supplied, findings);
    if (body?.fid !== undefined) judgeFid(body.fid, registered, findings);
    // Several subscriptions may have one address and one fid, each with its key: equal changes may be those of another leg.
    const isOfOne = registered.length === 1 && (registered[0]?.keys.size ?? 0) < 2;
    if (isObject(body?.changes) && isOfOne)
      this.#judgeAgain(
        delivery,
        { fid: JSON.stringify(body.fid), changes: JSON.stringify(body.changes) },
        findings,
      );
  }

  #judgeAgain(
    { registration, headers, answer }: Delivery,
    { fid, changes }: { readonly fid: string; readonly changes: string },
    findings: Findings,
  ): void {
    const events = this.#first.get(registration) ?? new Map<string, Event>();
    this.#first.set(registration, events);
    const credential = valuesNamed(headers, authorization).join();
    const first = events.get(changes);
    if (!first) {
      events.set(changes, { authorization: credential, fid, wasAccepted: /^2\d\d$/.test(answer) });
      const [oldest] = events.keys();
      if (events.size > mostEvents && oldest !== undefined) events.delete(oldest);
      return;
    }
    // The permission to repeat is used if a notification comes again that had been accepted.
    if (first.wasAccepted) findings.keep('FLA-CB-015');
    if (first.authorization !== credential)
      findings.break(
        'FLA-CB-020',
        wrong('authorization', text('that of the first delivery'), text('another one')),
      );
    findings.check('FLA-CB-020', first.fid === fid, () => ({
      code: 'fid',
      at: 'fid',
      want: text(first.fid),
      got: text(fid),
    }));
  }
}

function wrong(code: string, want: Value, got: Value) {
  return { code, at: 'header Authorization', want, got };
}

/** A fid is echoed exactly: by code points, without normalization. */
export function judgeFid(
  fid: unknown,
  registered: readonly Pick<FlightCallback, 'fid'>[],
  findings: Findings,
): void {
  findings.check(
    'FLA-CB-006',
    registered.some((one) => one.fid === fid),
    () => ({
      ...{ code: typeof fid === 'string' ? 'altered' : 'type', at: 'fid' },
      ...{ want: value(registered[0]?.fid), got: value(fid) },
    }),
  );
}

/** A notification ignores an `auth_header` that was supplied against the rules. */
export function judgeSupplied({ headers }: Delivery, supplied: readonly string[], findings: Findings): void {
  const values = supplied.flatMap((line) => [line, line.slice(line.indexOf(':') + 1).trim()]);
  const used = headers.find(([, one]) => values.includes(one));
  const want = text('a key of the service, whatever auth_header was supplied');
  findings.check('FLA-CBR-016', !used, () => ({
    ...{ code: 'used', at: `header ${used?.[0] ?? ''}`, want, got: text('the supplied auth_header') },
  }));
}

/** What names neither the fid nor the key of a registration may be of an earlier one at the same address. */
function mayBeOfAnother(delivery: Delivery, registered: readonly FlightCallback[]): boolean {
  const fid = deliveredObject(delivery)?.fid;
  if (typeof fid !== 'string' || registered.some((one) => one.fid === fid)) return false;
  const sent = valuesNamed(delivery.headers, authorization);
  const keys = registered.flatMap((one) => [...one.keys]);
  return sent.length > 0 && !keys.some((key) => sent.some((value) => value.includes(key)));
}

function judgeKey(
  delivery: Delivery,
  registered: readonly FlightCallback[],
  apiKeys: ReadonlySet<string>,
  findings: Findings,
): void {
  const rule = 'FLA-CB-003';
  const keys = keysFor(delivery, registered);
  const leaked = delivery.headers.find(([, one]) => apiKeys.has(one) && !keys.includes(one));
  const want = text('the callbackApiKey of the registration alone');
  if (leaked) {
    findings.break(rule, {
      code: 'leak',
      at: `header ${leaked[0]}`,
      want: text('no X-API-Key'),
      got: text('one of the partner'),
    });
    return;
  }
  const sent = valuesNamed(delivery.headers, authorization);
  if (keys.length === 0) {
    findings.doubt(rule, `${delivery.id}: its key was not returned to this run`);
    return;
  }
  const other = sent.find((one) => !keys.includes(one));
  if (sent.length === 0) findings.break(rule, wrong('absent', want, absence(delivery, keys)));
  findings.check(rule, other === undefined, () =>
    wrong('value', want, text(alterationOf(other ?? '', keys))),
  );
}

/** The keys of the registration that the fid names; those of all registrations at this address if it names none. */
function keysFor(delivery: Delivery, registered: readonly FlightCallback[]): readonly string[] {
  const fid = deliveredObject(delivery)?.fid;
  const named = registered.filter((one) => one.fid === fid);
  const those = named.length > 0 ? named : registered;
  // A key whose answer was lost may be any value.
  return those.some(({ keys }) => keys.size === 0) ? [] : those.flatMap(({ keys }) => [...keys]);
}

function absence({ headers }: Delivery, keys: readonly string[]): Value {
  const elsewhere = headers.find(([, one]) => keys.includes(one));
  return elsewhere ? text(`the key in header ${elsewhere[0]} instead`) : absent;
}

function alterationOf(sent: string, keys: readonly string[]): string {
  const within = keys.find((key) => sent.includes(key));
  if (within !== undefined) {
    const [before = '', after = ''] = sent.split(within);
    return `the key with ${JSON.stringify(before)} before and ${JSON.stringify(after)} after it`;
  }
  if (keys.some((key) => key.toLowerCase() === sent.toLowerCase())) return 'the key in other letter case';
  return `another value, of ${sent.length} characters`;
}
