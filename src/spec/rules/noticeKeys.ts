import type { Delivery } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { isObject } from '../../trace/body.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { authorization, valuesNamed } from '../grammar/headers.ts';
import { only, type Blame } from '../kernel/blame.ts';
import { Findings, type Wrong } from '../kernel/findings.ts';
import { absent, text, value, type Value } from '../kernel/value.ts';
import type { FlightCallback, FlightCallbacks } from '../world/flightCallbacks.ts';

interface Event {
  readonly authorization: string;
  readonly fid: string;
  readonly wasAccepted: boolean;
  isRepeated: boolean;
}

/** Consecutive notifications that are all delivered twice, which is no coincidence. */
const habit = 3;

/** What a key or a fid is that is there, and another one. */
const altered: ReadonlySet<string> = new Set(['value', 'altered', 'type']);

/** Most events of one address that are remembered to recognise repetitions; the latest ones. */
const mostEvents = 20;

/** The key and the fid of a flight notification, also of one that comes again. What is found never holds a key. */
export class NoticeKeys {
  /** What the first delivery of each event carried. */
  readonly #first = new RecentMap<string, Map<string, Event>>();
  readonly #blame: Blame;

  constructor(blame: Blame) {
    this.#blame = blame;
  }

  judge(delivery: Delivery, callbacks: FlightCallbacks, findings: Findings): void {
    const registered = callbacks.of(delivery);
    const body = deliveredObject(delivery);
    const [sent] = valuesNamed(delivery.headers, authorization);
    const foreign = [body?.fid, sent].find(
      (one) => typeof one === 'string' && callbacks.isForeign(one, registered),
    );
    if (foreign !== undefined)
      findings.break('FLA-CB-021', {
        ...{ code: 'enterprise', at: foreign === sent ? `header ${authorization}` : 'fid' },
        ...{ want: text('that of its own registration'), got: text('that of another enterprise') },
      });
    else if (mayBeOfAnother(delivery, registered))
      findings.doubt('FLA-CB-003', `${delivery.id}: it may be of a registration that nobody saw`);
    if (foreign !== undefined || mayBeOfAnother(delivery, registered)) return;
    const supplied = registered.flatMap((one) => [...one.supplied]);
    if (supplied.length > 0) judgeSupplied(delivery, supplied, findings);
    const own = new Findings();
    judgeKey(delivery, registered, callbacks.apiKeys, own);
    if (body?.fid !== undefined) judgeFid(body.fid, registered, own);
    this.#attribute(delivery, callbacks, own, findings);
    // Several subscriptions may have one address and one fid, each with its key: equal changes may be those of another leg.
    const isOfOne = registered.length === 1 && (registered[0]?.keys.size ?? 0) < 2;
    if (isObject(body?.changes) && isOfOne)
      this.#judgeAgain(
        delivery,
        { fid: JSON.stringify(body.fid), changes: JSON.stringify(body.changes) },
        findings,
      );
  }

  /** What was right before, and is no more, is wrong because of what was asked in between. */
  #attribute(delivery: Delivery, callbacks: FlightCallbacks, own: Findings, findings: Findings): void {
    const since = callbacks.sinceOf(delivery);
    let areKept = 0;
    for (const [rule, said] of own.all) {
      const mayBe = since.filter((one) => rule === 'FLA-CB-003' || one !== 'FLA-SUB-007');
      const isOpen = typeof said === 'object' && said !== null && altered.has(said.code) && mayBe.length > 0;
      if (said === null) areKept += 1;
      if (said === null) this.#blame.keep(only(rule));
      if (!isOpen) findings.settle(rule, said as Wrong | null);
      else if (mayBe.length === 1 && callbacks.of(delivery).every(({ wasRight }) => wasRight))
        findings.break(mayBe[0] ?? rule, said);
      else if (callbacks.of(delivery).every(({ wasRight }) => wasRight))
        this.#blame.accuse(only(rule, ...mayBe), 'notice', { ...said, because: [delivery] });
    }
    if (areKept < 2) return;
    const fid = deliveredObject(delivery)?.fid;
    for (const one of callbacks.of(delivery).filter((known) => known.fid === fid)) {
      if (callbacks.isShared(one)) findings.keep('FLA-CB-021');
      one.since.clear();
      one.wasRight = true;
    }
    for (const rule of since) findings.keep(rule);
    this.#blame.keep(only(...since));
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
      const before = [...events.values()].filter(({ wasAccepted }) => wasAccepted).at(-1);
      if (before?.isRepeated === false) findings.keep('FLA-CB-031');
      const wasAccepted = /^2\d\d$/.test(answer);
      events.set(changes, { authorization: credential, fid, wasAccepted, isRepeated: false });
      const [oldest] = events.keys();
      if (events.size > mostEvents && oldest !== undefined) events.delete(oldest);
      return;
    }
    // The permission to repeat is used if a notification comes again that had been accepted.
    if (first.wasAccepted) findings.keep('FLA-CB-015');
    first.isRepeated = true;
    const latest = [...events.values()].filter(({ wasAccepted }) => wasAccepted).slice(-habit);
    if (latest.length === habit && latest.every(({ isRepeated }) => isRepeated))
      findings.break('FLA-CB-031', {
        ...{ code: 'habit', at: 'callback', want: text('what was accepted not to come again each time') },
        got: text(`each of ${habit} notifications twice`),
      });
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
