import {
  type ApiKey,
  type ApiRequest,
  type CheckContext,
  type Exchange,
  limits,
  list,
  lookup,
  responseOf,
} from '../checks.ts';
import { issuedTo, newEnterprise, withKey } from './enterprises.ts';
import { type Flight, put } from './flights.ts';
import { unlessUnclear } from './unlessUnclear.ts';

/** Keys whose windows are empty, by what a schedule needs them for; null where there is none. */
interface QuietKeys {
  readonly tested: ApiKey;
  readonly second: ApiKey | null;
  readonly other: ApiKey | null;
}

/** Quota units of an enterprise that is made for a check. */
const units = 10;

/** A little more than a window, for stores that count in seconds. */
const quietMs = 62_000;

/** Keys that were not used lately: new ones where the state handler makes them, else after a quiet window. */
export async function quietKeys(
  t: CheckContext,
  time: LimitTime,
  {
    quiet = quietMs,
    isPatient = t.isPatient,
  }: { readonly quiet?: number; readonly isPatient?: boolean } = {},
): Promise<QuietKeys> {
  // A limiter of all keys together still counts what others have sent.
  if (time.isMoved) await time.pass(quiet);
  if (t.state.offers('enterprise.create')) {
    const first = await newEnterprise(t, units, 2);
    const [other] = await newEnterprise(t, units);
    // Two that were issued later: a budget that they share would not show beside the first one's.
    const later = first[0] ? await issuedTo(t, first[0], 2) : [];
    const [tested, second] = later.length === 2 ? later : first;
    if (tested) return { tested, second: second ?? null, other: other ?? null };
  }
  const [tested, second] = t.keys.primary;
  if (!tested) return t.skip('there is no key');
  if (!isPatient)
    return t.skip('the state handler makes no new keys, and this run does not wait for a quiet window');
  t.tell('limits: waiting a minute, so that no earlier request counts');
  await t.sleep(quietMs);
  return { tested, second: second ?? null, other: t.keys.other[0] ?? null };
}

/** The deployment's time as far as its limits go: it passes by itself, or the state handler moves it. */
export class LimitTime {
  readonly #t: CheckContext;
  #shift = 0;
  #isVerified = false;

  constructor(t: CheckContext) {
    this.#t = t;
  }

  /** What was added to the run's own time so far, in milliseconds. */
  get shift(): number {
    return this.#shift;
  }

  get isMoved(): boolean {
    return this.#t.state.offers('clock.advance') && this.#t.state.clock.has('rate-limits');
  }

  now(): number {
    return this.#t.monotonic() + this.#shift;
  }

  /**
   * Lets time pass until an instant; nothing may be under way. A clock is moved by whole seconds, since a handler may round them:
   * up to a second too far, or, where the instant matters, less far, and the rest passes by itself.
   */
  async until(at: number, isExact = false): Promise<void> {
    const ms = at - this.now();
    if (ms <= 0) return;
    if (this.isMoved) {
      const seconds = isExact ? Math.floor(ms / 1000) : Math.ceil(ms / 1000);
      if (seconds > 0) await this.#move(seconds);
      if (isExact) await this.#t.sleep(Math.max(0, at - this.now()));
    } else if (this.#t.isPatient) await this.#t.sleep(ms);
    else this.#t.skip('the state handler does not move the limits, and this run does not wait for them');
  }

  async pass(ms: number): Promise<void> {
    await this.until(this.now() + ms);
  }

  async #move(seconds: number): Promise<void> {
    const ms = seconds * 1000;
    const before = this.#isVerified ? null : timeOf(await this.#t.state.set('capabilities', {}));
    const since = this.#t.monotonic();
    const answer = await this.#t.state.set('clock.advance', { seconds });
    this.#shift += ms;
    if (before === null || Number.isNaN(before)) return;
    const moved = timeOf(answer) - before;
    const passed = this.#t.monotonic() - since;
    this.#t.assume(
      !Number.isNaN(moved),
      'clock.advance: the state handler told no time as `now`, in ISO 8601',
    );
    this.#t.assume(
      moved >= ms - 2000 && moved <= ms + passed + 2000,
      `clock.advance by ${seconds} s moved the clock by ${moved / 1000} s`,
    );
    this.#isVerified = true;
  }
}

function timeOf({ now }: { readonly now?: unknown }): number {
  return typeof now === 'string' ? Date.parse(now) : Number.NaN;
}

/**
 * Successful requests that cost nothing, to be sent in turn; of both APIs where both are sure to answer. To find a flight may
 * take requests: keys become quiet after that.
 */
export async function freeRequests(
  t: CheckContext,
  isMixed = true,
): Promise<(key: ApiKey, index: number) => ApiRequest> {
  const flight =
    t.apis.includes('flight-alerts') && (isMixed || !t.apis.includes('webcheckin'))
      ? await someFlight(t)
      : null;
  const makers = [
    ...(t.apis.includes('webcheckin')
      ? [1, 2, 3].map(() => (key: ApiKey) => list({ limit: '1' }, { key: withKey(key) }))
      : []),
    ...(flight === null
      ? []
      : [
          (key: ApiKey) => {
            const { flightNumber, departureDate } = flight;
            return lookup({ flightNumber, departureDate }, { key: withKey(key) });
          },
        ]),
  ];
  if (makers.length === 0) t.skip('no flight is known that a lookup is sure to find; name one in the config');
  return (key, index) => {
    const make = makers[index % makers.length];
    if (!make) throw new Error('unreachable: there is a request to make');
    return { ...make(key), wantsRefusal: true };
  };
}

/** A flight of one leg where one can be made: how often a lookup of several legs counts is a matter of its own. */
export async function someFlight(t: CheckContext): Promise<Flight | null> {
  if (t.state.offers('flights.put')) return put(t, [{ route: ['DXB', 'LHR'] }]);
  return unlessUnclear(t.fixtures.knownLeg());
}

/** A schedule as it was played. */
export interface Played {
  readonly exchanges: readonly Exchange[];
  readonly decisions: readonly limits.Decision[];
}

interface PlayOptions {
  readonly people: QuietKeys;
  readonly time: LimitTime;
  readonly request: (key: ApiKey, index: number) => ApiRequest;
  /** Decisions that an earlier run made, by the same clock. */
  readonly onStep?: (played: Played, index: number) => void;
}

/** Between requests in turn: a store may count a moment after it has answered. */
const pauseMs = 100;

/** Plays a schedule. Steps for keys that are not there are left out. */
export async function play(
  t: CheckContext,
  steps: readonly limits.ScheduleStep[],
  options: PlayOptions,
): Promise<Played> {
  const { people, time, request, onStep } = options;
  const exchanges: Exchange[] = [];
  const decisions: limits.Decision[] = [];
  const start = time.now();
  const note = (seen: readonly Exchange[]) => {
    exchanges.push(...seen);
    for (const exchange of seen) {
      const decision = limits.decisionOf(exchange, time.shift, { address: 'this machine' });
      if (decision) decisions.push(decision);
    }
  };
  for (const [index, step] of steps.entries()) {
    const key = people[step.key];
    if (key === null) continue;
    const lead = step.isExact ? leadFor(step.atMs, exchanges[0], time) : 0;
    await time.until(start + step.atMs - lead, step.isExact);
    const requests = Array.from({ length: step.count }, (_, at) => request(key, at));
    if (step.way === 'together') note(await t.burst(requests));
    else
      for (const one of requests) {
        note([await t.send(one)]);
        await t.sleep(t.grace(pauseMs));
      }
    if (index === 0) assumeAnswers(t, exchanges);
    onStep?.({ exchanges, decisions }, index);
  }
  return { exchanges, decisions };
}

/** So long before an exact instant a request is sent: the answer takes some time, and clocks that nobody moves may run apart. */
function leadFor(atMs: number, first: Exchange | undefined, time: LimitTime): number {
  const tookMs = first ? first.timings.received - first.timings.sent : 0;
  return leastLeadMs + 2 * tookMs + (time.isMoved ? 0 : limits.drift * atMs);
}

const leastLeadMs = 40;

/** Without one success nothing counts for certain, and without any answer there is nothing to see. */
function assumeAnswers(t: CheckContext, exchanges: readonly Exchange[]): void {
  const succeeded = exchanges.filter((exchange) => responseOf(exchange)?.status === 200).length;
  t.assume(succeeded > 0, 'no request was answered with 200, so that none is certain to count');
}

/** Names the limiter of a timeline, and leaves both for the reports. */
export function nameLimiter(
  t: CheckContext,
  title: string,
  decisions: readonly limits.Decision[],
  window: limits.WindowLimit,
): limits.Identification {
  const identification = limits.identify(decisions, window, t.wallClock() - t.monotonic());
  t.limitsBook.note({ title, window, decisions, identification });
  return identification;
}

/**
 * All requests of a count are to be under way within this time, so that their window is still open at the end. The first ones,
 * which any limiter admits, go sooner: where several meet at the edge, a race may let some more of them pass.
 */
const fillingMs = { first: 1_500, edge: 12_000 };
/** The edge begins so many before the limit. */
const edge = 12;
/** Requests that are sent at once where answers are slow. */
const mostAtOnce = { first: 60, edge: 20 };

/**
 * Requests of a key until one is refused or `most` are admitted; the last one is a refused one, if any was. One goes after
 * the other as long as they are quick enough to meet within a window, else several at once. `mayLose` are lost ones that do
 * no harm where nobody counts: a server may close a connection at any time, and whether it counted such a request is unknown.
 */
export async function untilFull(
  t: CheckContext,
  request: () => ApiRequest,
  most: number,
  mayLose = 0,
): Promise<{ readonly admitted: number; readonly exchanges: readonly Exchange[] }> {
  const admitted: Exchange[] = [];
  const refused: Exchange[] = [];
  let lost = 0;
  while (refused.length === 0 && admitted.length < most) {
    const sure = Math.min(t.settings.limits.perMinute, most) - edge - admitted.length;
    const part = sure > 0 ? 'first' : 'edge';
    const width = Math.min(mostAtOnce[part], Math.ceil((meanMs(admitted) * most) / fillingMs[part]));
    const count = Math.max(1, Math.min(width, sure > 0 ? sure : most - admitted.length));
    for (const exchange of await sendTogether(t, request, count)) {
      const status = responseOf(exchange)?.status;
      if (status === undefined && (lost += 1) <= mayLose) continue;
      t.assume(status === 200 || status === 429, `${exchange.id} was neither admitted nor refused`);
      (status === 429 ? refused : admitted).push(exchange);
    }
  }
  return { admitted: admitted.length, exchanges: [...admitted, ...refused] };
}

/** How long requests took. */
function meanMs(exchanges: readonly Exchange[]): number {
  const sum = exchanges.reduce((ms, { timings }) => ms + timings.received - timings.sent, 0);
  return exchanges.length === 0 ? 0 : sum / exchanges.length;
}

async function sendTogether(
  t: CheckContext,
  request: () => ApiRequest,
  count: number,
): Promise<readonly Exchange[]> {
  if (count === 1) return [await t.send({ ...request(), wantsRefusal: true })];
  // Over one connection they would wait for each other.
  return t.burst(
    Array.from({ length: count }, () => ({ ...request(), wantsRefusal: true, connection: null })),
  );
}
