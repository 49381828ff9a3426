import type { Exchange } from '../../core/evidence.ts';
import type { Api } from '../../core/operations.ts';
import { createRandom, deriveSeed } from '../../core/random.ts';
import { simpleBooking } from '../../generate/webcheckin/booking.ts';
import { describeResponse } from '../../judge/kernel/answer.ts';
import { responseOf } from '../../judge/kernel/body.ts';
import { JourneyFailed, type Partner, type PartnerAddress, type StepOptions } from './journey.ts';
import type { Beginning } from './journeyRunner.ts';
import type { LoadMaterial } from '../plan/payloads.ts';
import type { Sender } from '../send/sender.ts';
import { cause, causeAtGate, newFlight, type ChangeOptions } from './loadChanges.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import type { Pacer } from '../../send/pacer.ts';
import type { ApiRequest } from '../../send/request.ts';
import { retryAfterMs } from '../../send/retryAfter.ts';

export interface PartnerOptions extends ChangeOptions {
  readonly sender: Pick<Sender, 'deliver'>;
  readonly material: LoadMaterial;
  readonly seed: number;
  /** Waits for slots of the documented limits; null if they are not observed. */
  readonly pacer: Pacer | null;
  readonly otherKeys: readonly ApiKey[];
  /** Whether a partner waits as long as a 429 asks, or tries again at once. */
  readonly on429: 'obey' | 'ignore';
  /** Factor for think times. */
  readonly thinkFactor: number;
  /** A new address of the sink. */
  readonly openAddress: (api: Api) => PartnerAddress & { readonly registration: string };
}

const longestRetryAfterMs = 120_000;
const longestThinkMs = 24 * 3_600_000;
const obeyTurns = 3;
const ignoreTurns = 10;
const ignoreMs = 50;

/** One virtual partner: sends with its key, records each step, and fails on an unexpected answer. */
export function createPartner(options: PartnerOptions, beginning: Beginning): Partner {
  const { arrival, key } = beginning;
  const { clock, identities, material, seed } = options;
  const random = createRandom(deriveSeed(seed, `load/journey/${arrival.index}`));
  const addresses = new Map<string, string>();
  const steps = new Steps(options, beginning);
  const now = () => clock.now() + (material.aheadMs ?? 0);
  return {
    ...{ index: arrival.index, random, material, identities },
    booking: (more = {}) => ({ ...plainBooking(options, now()), ...more }),
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
    barrier: (step) => steps.timed(step, () => beginning.barrier()),
    think: (ms) => steps.think(ms * options.thinkFactor * (0.5 + random())),
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
    flight: (step) => steps.timed(step, () => newFlight(options, step, now())),
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

function plainBooking({ material: { itinerary }, identities }: PartnerOptions, now: number) {
  if (itinerary === null) throw new JourneyFailed('booking', 'no booking is known that the target accepts');
  return simpleBooking({ itinerary, now, pnr: identities.pnr() });
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
  #knowsEnd = false;
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
    const exchange = signal.aborted ? null : await sendPolitely(this.#options, { ...due, atMs, intended });
    // Nor must one that catches that nothing more may be sent.
    if (exchange === null) await clock.sleep(0);
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

  /** Infinity and what is no number would not be waited for at all. */
  think(ms: number): Promise<void> {
    if (!(ms >= 0 && ms <= longestThinkMs))
      throw new JourneyFailed('think', `expected 0 to ${longestThinkMs} ms; got ${ms}`);
    return this.during(() => this.#options.clock.sleep(ms, this.#options.signal));
  }

  timed<T>(step: string, act: () => Promise<T>): Promise<T> {
    return this.during(() => this.#time(step, act));
  }

  /** A journey that catches the end of the load and goes on hears no more of it: it must not keep everything else from its turn. */
  during<T>(act: () => Promise<T>): Promise<T> {
    if (this.#knowsEnd) return new Promise(() => undefined);
    this.#knowsEnd = this.#options.signal.aborted;
    const task = act();
    this.#beginning.onTask(task);
    return task;
  }

  async #time<T>(step: string, act: () => Promise<T>): Promise<T> {
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
