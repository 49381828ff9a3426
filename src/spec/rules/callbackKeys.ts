import type { Exchange } from '../../core/evidence.ts';
import { onceForEach } from '../../core/latest.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { objectOf, responseOf, type Json, type JsonObject } from '../../trace/body.ts';
import { apiKeyIn } from '../grammar/headers.ts';
import { legObjects, legPaths } from '../grammar/legSnapshot.ts';
import type { Findings, Wrong } from '../kernel/findings.ts';
import { absent, text, type Value } from '../kernel/value.ts';
import { callOf } from '../../trace/call.ts';
import { requestedLeg, type LegRequest } from '../world/legs.ts';
import { spelledIn } from './spellings.ts';

/** When a subscription has returned its key. */
interface Returned {
  readonly id: string;
  readonly key: string;
  readonly sent: number;
  readonly received: number;
  /** The latest subscribe without callbackData since, which must not have dropped the callback. */
  without?: string;
}

/** When callbackApiKey is returned, what it may not be, and who may not see it. What is found never holds a key. */
export class CallbackKeys {
  /** By API key and leg: whether a subscription belongs to the key or to the enterprise is open. */
  readonly #returned = new RecentMap<string, Returned>();
  readonly #apiKeys = new Set<string>();
  /** Keys and addresses of the subscriptions of the run, and their fids. */
  readonly #keys = new RecentMap<string, true>();
  readonly #registered = new RecentMap<string, true>();
  /** What all callback keys begin with; null before the first. */
  #prefix: string | null = null;

  get forgotten(): number {
    return this.#returned.forgotten + this.#keys.forgotten + this.#registered.forgotten;
  }

  subscribe(exchange: Exchange, findings: Findings): void {
    const { timings, enterprise, request, key: owner } = exchange;
    const apiKey = enterprise === null ? null : apiKeyIn(request);
    if (apiKey !== null) this.#apiKeys.add(apiKey);
    const [body, leg] = [objectOf(exchange), requestedLeg(exchange)];
    if (responseOf(exchange)?.status !== 200 || !body || !leg) return;
    const key = body.callbackApiKey ?? null;
    const name = `${owner ?? ''} ${leg.name}`;
    const before = this.#returned.get(name);
    if (!leg.callback) {
      if (before) before.without = exchange.id;
      findings.check('FLA-SUB-004', !isKey(key), () => wrong('returned', absent, 'a key'));
      return;
    }
    note(this.#registered, leg.callback.fid);
    // Nothing else that is shown can be an address.
    note(this.#keys, leg.callback.callbackUrl);
    if (key === null || key === '') {
      if (before && timings.sent >= before.received) findings.keep('FLA-SUB-006');
      return;
    }
    findings.check('FLA-SUB-005', isKey(key), () =>
      wrong('type', text('a non-empty string'), `a ${typeof key}`),
    );
    if (!isKey(key)) return;
    note(this.#keys, key);
    if (before) judgeAgain(exchange, leg, { key, before }, findings);
    else if (owner !== null)
      this.#returned.set(name, { id: exchange.id, key, sent: timings.sent, received: timings.received });
    this.#judgeValue(key, findings);
  }

  #judgeValue(key: string, findings: Findings): void {
    findings.check('FLA-CB-028', !this.#apiKeys.has(key), () =>
      wrong('same', text('none of the partner'), 'an X-API-Key'),
    );
    const before = this.#prefix;
    const prefix = commonPrefix(before ?? key, key);
    this.#prefix = prefix;
    if (before !== null && before !== key)
      findings.check('FLA-CBR-019', prefix !== '', () =>
        wrong('prefix', text('the prefix of the keys before'), 'another beginning'),
      );
  }

  /** A lookup shows nothing of subscriptions. */
  lookup(leg: JsonObject, at: string, findings: Findings): void {
    const extra = extraIn(leg);
    const isThere =
      (this.#keys.size > 0 && holdsText(leg, this.#keys)) ||
      extra.some((name) => holdsText(leg[name], this.#registered));
    const plain = extra.find((name) => plainNames.test(name) && leg[name] !== null);
    const want = text('no data of a subscription');
    if (isThere)
      findings.break(privacy, {
        code: 'value',
        at,
        want,
        got: text('a value of a subscription of this run'),
      });
    else if (plain !== undefined)
      findings.break(privacy, { code: 'member', at: `${at}.${plain}`, want, got: text('a member') });
    const named = extra.find((name) => /subscri|callback|history|^fid$|credential|apikey|auth/i.test(name));
    if (named !== undefined) findings.doubt(privacy, `${at}.${named} is named like data of a subscription`);
    findings.keep(privacy);
  }
}

const privacy = 'FLA-GET-030';

/** The members of a leg that the documents do not name. */
const extraIn = onceForEach((leg: JsonObject) => Object.keys(leg).filter((name) => !documented.has(name)));

const documented: ReadonlySet<string> = new Set(['alternateInfo', ...Object.keys(legObjects), ...legPaths]);

/** Names that can only mean what the document excludes: ids, credentials, flags and history. */
const plainNames =
  /^(history|(is_?)?subscribed|(has_?)?subscription(_?id)?|subscription_?ids|callback_?(api_?key|url))$/i;

function isKey(key: Json): key is string {
  return typeof key === 'string' && key !== '';
}

function note(texts: RecentMap<string, true>, value: Json | undefined): void {
  if (typeof value === 'string' && value.length >= 8) texts.set(value, true);
}

/** A second answer with a key: after the first one, or at the same time. */
function judgeAgain(
  exchange: Exchange,
  leg: LegRequest,
  { key, before }: { readonly key: string; readonly before: Returned },
  findings: Findings,
): void {
  const { id, timings } = exchange;
  const call = callOf(exchange);
  const isSpelled = call !== null && spelledIn(call, leg).length > 0;
  const isSame = key === before.key;
  if (isSpelled) findings.doubt('FLA-SUB-006', `${id}: a key again, for another spelling`);
  else if (timings.sent > before.received || timings.received < before.sent) {
    const because = [before.id, before.without, id].flatMap((one) =>
      one === undefined ? [] : [{ id: one }],
    );
    const again = wrong(
      'again',
      text('once for a subscription'),
      `${isSame ? 'the same' : 'another'} key again`,
    );
    findings.break('FLA-SUB-006', { ...again, because });
  } else if (timings.sent >= before.received || timings.received <= before.sent)
    // If it came at the same moment as the earlier answer, the order is unknown.
    findings.doubt('FLA-SUB-029', `${id}: a key again, at the moment of the first one`);
  else if (isSame) findings.doubt('FLA-SUB-029', `${id}: two simultaneous subscribes returned the same key`);
  else
    findings.break(
      'FLA-SUB-029',
      wrong('two-keys', text('one for simultaneous identical subscribes'), 'two different keys'),
    );
}

function wrong(code: string, want: Value, got: string): Wrong {
  return { code, at: 'callbackApiKey', want, got: text(got) };
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

function holdsText(value: Json | undefined, texts: ReadonlyMap<string, true>): boolean {
  if (typeof value === 'string') return texts.has(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member: Json | undefined) => holdsText(member, texts));
}
