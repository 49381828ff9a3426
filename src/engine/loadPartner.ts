import type { Clock } from '../core/clock.ts';
import type { Exchange } from '../core/evidence.ts';
import type { Api } from '../core/operations.ts';
import { createRandom, deriveSeed } from '../core/random.ts';
import { simpleBooking } from '../generate/webcheckin/booking.ts';
import type { FlightLeg } from '../generate/flightAlerts/flightSubscription.ts';
import { journey, upstreamLeg } from '../generate/flightAlerts/upstreamLeg.ts';
import type { Identities } from '../generate/kit/identity.ts';
import type { JsonObject } from '../generate/kit/json.ts';
import { utcDate } from '../generate/kit/localTime.ts';
import { describeResponse } from '../judge/kernel/answer.ts';
import { responseOf } from '../judge/kernel/body.ts';
import { passOf } from '../judge/whole/ownPasses.ts';
import type { Change, ChangeBook } from '../load/journeys/changeBook.ts';
import {
  JourneyFailed,
  type Partner,
  type PartnerAddress,
  type StepOptions,
} from '../load/journeys/journey.ts';
import type { Beginning } from '../load/journeys/journeyRunner.ts';
import type { LoadMaterial } from '../load/payloads.ts';
import type { Sender } from '../load/sender.ts';
import type { ApiKey } from '../send/keyRing.ts';
import type { Pacer } from '../send/pacer.ts';
import type { ApiRequest } from '../send/request.ts';
import { retryAfterMs } from '../send/retryAfter.ts';

type LoadState = 'checkin.progress' | 'flights.put' | 'flights.change';

export interface PartnerOptions {
  readonly sender: Pick<Sender, 'deliver'>;
  readonly material: LoadMaterial;
  readonly identities: Identities;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly seed: number;
  /** Waits for slots of the documented limits; null if they are not observed. */
  readonly pacer: Pacer | null;
  readonly otherKeys: readonly ApiKey[];
  /** Whether a partner waits as long as a 429 asks, or tries again at once. */
  readonly on429: 'obey' | 'ignore';
  /** Factor for think times. */
  readonly thinkFactor: number;
  readonly changes: ChangeBook;
  /** How long to wait for the webhook of a change. */
  readonly webhookPatienceMs: number;
  /** A new address of the sink. */
  readonly openAddress: (api: Api) => PartnerAddress & { readonly registration: string };
  /** Sets a state by the state handler. */
  readonly set: (state: LoadState, params: JsonObject) => Promise<void>;
  /** Calls back at each delivery to an address. */
  readonly watch: (registration: string, wake: () => void) => () => void;
}

/** The message of one change and of no other, as it stands somewhere in a text. */
export function markIn(text: unknown): string | null {
  const form = /Gatecheck change [a-z0-9]{12,}|^G[a-z0-9]{12,}$/;
  return typeof text === 'string' ? (form.exec(text)?.[0] ?? null) : null;
}

const longestRetryAfterMs = 120_000;
const obeyTurns = 3;
const ignoreTurns = 10;
const ignoreMs = 50;

/** One virtual partner: sends with its key, records each step, and fails on an unexpected answer. */
export function createPartner(options: PartnerOptions, beginning: Beginning): Partner {
  const { arrival, key } = beginning;
  const { clock, signal, identities, material, seed } = options;
  const random = createRandom(deriveSeed(seed, `load/journey/${arrival.index}`));
  const addresses = new Map<string, string>();
  const steps = new Steps(options, beginning);
  return {
    ...{ index: arrival.index, random, material, identities },
    booking: (more = {}) => {
      const { itinerary } = material;
      if (itinerary === null)
        throw new JourneyFailed('booking', 'no booking is known that the target accepts');
      return { ...simpleBooking({ itinerary, now: clock.now(), pnr: identities.pnr() }), ...more };
    },
    send: (step, request, given) =>
      steps.timed(step, () => steps.deliver(step, { request, key, ...expecting(given) })),
    together: (step, requests, given) =>
      steps.timed(step, () =>
        allOf(requests.map((request) => steps.deliver(step, { request, key, ...expecting(given) }))),
      ),
    asOther: (step, request, given) => {
      const other = options.otherKeys[arrival.index % options.otherKeys.length];
      if (!other) throw new JourneyFailed(step, 'there is no key of another enterprise');
      return steps.timed(step, () => steps.deliver(step, { request, key: other, ...expecting(given) }));
    },
    rally: (step) => steps.timed(step, () => beginning.rally()),
    think: (ms) => clock.sleep(ms * options.thinkFactor * (0.5 + random()), signal),
    until: (step, ask, isSo, patience) =>
      steps.timed(step, () => askUntil(options, { step, ask, isSo, ...patience })),
    address: (api) => {
      const { url, authHeader, registration } = options.openAddress(api);
      addresses.set(url, registration);
      return { url, authHeader };
    },
    change: (step, checkinId, { status, told }) =>
      steps.timed(step, async () => {
        const registration = told === null ? null : (addresses.get(told.url) ?? null);
        await cause(options, { step, checkinId, status, registration, last: steps.last });
      }),
    flight: (step) => steps.timed(step, () => newFlight(options, step)),
    changeFlight: (step, leg, told) =>
      steps.timed(step, async () => {
        const registration = addresses.get(told.url) ?? '';
        await causeAtGate(options, leg, { step, registration, last: steps.last });
      }),
    fail: (step, why) => {
      throw new JourneyFailed(step, why);
    },
  };
}

/** Waits for all of them, also where one fails: what is still under way belongs to this step. */
async function allOf<T>(tasks: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}

function expecting({ expects = [200] }: StepOptions = {}): Pick<Due, 'expects'> {
  return { expects };
}

/** Sends and times the steps of one journey; the first request is timed from when the journey was due. */
class Steps {
  readonly #options: PartnerOptions;
  readonly #beginning: Beginning;
  #isFirst = true;
  last: Exchange | null = null;

  constructor(options: PartnerOptions, beginning: Beginning) {
    this.#options = options;
    this.#beginning = beginning;
  }

  async deliver(step: string, due: Pick<Due, 'request' | 'key' | 'expects'>): Promise<Exchange> {
    const { clock, signal } = this.#options;
    const intended = this.#isFirst ? this.#beginning.intended : clock.monotonic();
    this.#isFirst = false;
    const { atMs } = this.#beginning.arrival;
    const exchange = await sendPolitely(this.#options, { ...due, atMs, intended });
    signal.throwIfAborted();
    if (exchange === null) throw new JourneyFailed(step, 'no budget was left for it');
    this.last = exchange;
    const status = responseOf(exchange)?.status;
    if (status === undefined || !due.expects.includes(status))
      throw new JourneyFailed(
        step,
        `expected ${due.expects.join(' or ')}; got ${describeResponse(exchange)}`,
      );
    return exchange;
  }

  async timed<T>(step: string, act: () => Promise<T>): Promise<T> {
    const { clock } = this.#options;
    const from = clock.monotonic();
    const result = await act();
    this.#beginning.onStep(step, clock.monotonic() - from);
    return result;
  }
}

interface Due {
  readonly request: ApiRequest;
  readonly key: ApiKey;
  readonly expects: readonly number[];
  readonly atMs: number;
  readonly intended: number;
}

/** Sends, and repeats what a rate limit refused: after the time that it asks for, or at once and in vain. */
async function sendPolitely(options: PartnerOptions, due: Due): Promise<Exchange | null> {
  const { sender, pacer, clock, signal, on429 } = options;
  const turns = on429 === 'obey' ? obeyTurns : ignoreTurns;
  let exchange: Exchange | null = null;
  let { intended } = due;
  for (let turn = 0; turn < turns; turn += 1) {
    const ticket = (await pacer?.acquire([due.key], signal)) ?? null;
    // We wait for the slot; it is not latency of the target.
    if (ticket !== null || turn > 0) intended = clock.monotonic();
    exchange = await sender.deliver(due, due.key, { atMs: due.atMs, intended });
    ticket?.done();
    if (exchange === null || responseOf(exchange)?.status !== 429) return exchange;
    const asked = retryAfterMs(exchange.outcome) ?? 1000;
    await clock.sleep(on429 === 'obey' ? Math.min(longestRetryAfterMs, asked) : ignoreMs, signal);
  }
  return exchange;
}

interface Asking {
  readonly step: string;
  readonly ask: () => Promise<Exchange>;
  readonly isSo: (exchange: Exchange) => boolean;
  readonly everyMs?: number;
  readonly patienceMs?: number;
}

async function askUntil(
  { clock, signal }: PartnerOptions,
  { step, ask, isSo, everyMs = 1000, patienceMs = 30_000 }: Asking,
): Promise<Exchange> {
  const until = clock.monotonic() + patienceMs;
  for (;;) {
    const exchange = await ask();
    if (isSo(exchange)) return exchange;
    if (clock.monotonic() + everyMs > until)
      throw new JourneyFailed(step, `it did not happen within ${patienceMs / 1000} s`);
    await clock.sleep(everyMs, signal);
  }
}

interface Causing {
  readonly step: string;
  readonly checkinId: string;
  readonly status: string;
  readonly registration: string | null;
  readonly last: Exchange | null;
}

/** Causes one change, and waits until its own webhook has come. */
async function cause(options: PartnerOptions, causing: Causing): Promise<void> {
  const { identities } = options;
  const { checkinId, status, registration } = causing;
  const mark = `Gatecheck change ${identities.token()}`;
  const subStatus = status === 'SCHEDULED' ? { sub_status: 'COMPLETE_INFO' } : {};
  // Each record gets a boarding pass that names it, so that nobody is shown one of somebody else unseen.
  const passes = status === 'COMPLETED' ? { boarding_passes: [passOf(checkinId)] } : {};
  const params = { checkin_id: checkinId, status, checkin_message: mark, ...subStatus, ...passes };
  const change = registration === null ? null : { subject: checkinId, status, requirement: 'WCI-CB-021' };
  await setAndWait(options, { ...causing, mark, change, state: 'checkin.progress', params });
}

/** A flight that upstream did not know, far enough ahead. */
async function newFlight(options: PartnerOptions, step: string): Promise<FlightLeg> {
  const { identities, clock, set } = options;
  const [departure, arrival] = journey[0] ?? ['DOH', 'SIN'];
  const leg = {
    ...{ flightNumber: identities.flightNumber(), departureDate: utcDate(clock.now(), flightDaysAhead) },
    ...{ departure, arrival },
  };
  const { flightNumber, departureDate } = leg;
  await set('flights.put', { flightNumber, departureDate, legs: [upstreamLeg(leg)] }).catch(failing(step));
  return leg;
}

const flightDaysAhead = 30;

/** Gives a leg a gate that no other has, and waits until its notification has come. */
async function causeAtGate(
  options: PartnerOptions,
  leg: FlightLeg,
  waiting: Pick<Causing, 'step' | 'last'> & { readonly registration: string },
): Promise<void> {
  const mark = `G${options.identities.token()}`;
  const params = {
    ...{ flightNumber: leg.flightNumber, departureDate: leg.departureDate },
    ...{ departureAirportIata: leg.departure, arrivalAirportIata: leg.arrival },
    changes: { departure: { gate: mark } },
  };
  const subject = `${leg.flightNumber} of ${leg.departureDate}`;
  const change = { subject, status: null, requirement: 'FLA-CB-001' };
  await setAndWait(options, { ...waiting, mark, change, state: 'flights.change', params });
}

interface SetAndWait extends Pick<Causing, 'step' | 'registration' | 'last'> {
  readonly mark: string;
  /** Null where no webhook is due. */
  readonly change: Pick<Change, 'subject' | 'status' | 'requirement'> | null;
  readonly state: LoadState;
  readonly params: JsonObject;
}

async function setAndWait(options: PartnerOptions, setting: SetAndWait): Promise<void> {
  const { changes, clock, set } = options;
  const { step, registration, last, mark, change, state, params } = setting;
  if (registration !== null && change !== null)
    changes.caused({ ...change, mark, registration, askedAt: clock.now(), evidence: last });
  try {
    await set(state, params);
  } catch (error) {
    changes.withdraw(mark);
    failing(step)(error);
  }
  if (registration !== null && change !== null) await told(options, mark, { step, registration });
}

function failing(step: string): (error: unknown) => never {
  return (error) => {
    throw new JourneyFailed(step, error instanceof Error ? error.message : String(error));
  };
}

async function told(
  { changes, clock, signal, watch, webhookPatienceMs }: PartnerOptions,
  mark: string,
  { step, registration }: { readonly step: string; readonly registration: string },
): Promise<void> {
  const enough = new AbortController();
  const stop = watch(registration, () => {
    if (changes.isTaken(mark)) enough.abort();
  });
  if (changes.isTaken(mark)) enough.abort();
  if (!enough.signal.aborted)
    await clock.sleep(webhookPatienceMs, AbortSignal.any([enough.signal, signal])).catch(() => undefined);
  stop();
  signal.throwIfAborted();
  if (changes.isTaken(mark)) return;
  const what = changes.isTold(mark)
    ? 'was refused by the sink, and did not come again'
    : 'of the change did not come';
  throw new JourneyFailed(step, `the webhook ${what} within ${webhookPatienceMs / 1000} s`);
}
