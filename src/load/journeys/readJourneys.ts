import type { Delivery } from '../../core/evidence.ts';
import { targetError } from '../../core/errors.ts';
import type { OperationId } from '../../core/operations.ts';
import { deriveSeed } from '../../core/random.ts';
import { createIdentities } from '../../generate/kit/identity.ts';
import { isObject, type JsonObject } from '../../judge/kernel/body.ts';
import { differs, unclear } from '../../judge/kernel/judgement.ts';
import { sampleOf } from '../../judge/kernel/sample.ts';
import { eventOf } from '../../spec/world/webhookEvent.ts';
import { Durations } from '../summary/histogram.ts';
import { CausedChanges } from './causedChanges.ts';
import type { Journey, JourneyNeed } from './journey.ts';
import type { JourneyTotals } from './journeyTotals.ts';
import { JourneyRunner } from './journeyRunner.ts';
import { LastStates } from './lastStates.ts';
import { scriptOf, troubleMs, type SinkManner } from './sinkManner.ts';
import type { LoadMaterial } from '../plan/payloads.ts';
import type { Sender } from '../send/sender.ts';
import type { Mailbox } from '../../receive/mailbox.ts';
import { accepting } from '../../receive/script.ts';
import type { Sink } from '../../receive/sink.ts';
import type { DeliveryHub } from '../../engine/observe/callbacks.ts';
import type { LoadJudge } from '../judge/loadJudge.ts';
import { markIn } from './loadChanges.ts';
import { createPartner, type PartnerOptions } from './loadPartner.ts';
import * as is from '../../spec/kernel/value.ts';
import type { OpenRun } from '../../engine/session/openRun.ts';

interface LoadJourneysOptions {
  readonly run: OpenRun;
  readonly hub: DeliveryHub;
  readonly journeys: readonly Journey[];
  readonly on429: PartnerOptions['on429'];
  readonly withinLimits: boolean;
  /** How the sink answers the webhooks of journeys. */
  readonly sinkManner: SinkManner;
}

const flightStates = ['flights.put', 'flights.change'] as const;
/** How long to wait for the webhook of a change if the sink is in order. */
const webhookPatienceMs = 30_000;
/** How long to wait for the last webhooks. */
const settleMs = 20_000;
const quietMs = 3000;

/** The journeys of a load: what they need, who runs them, and which changes have had their webhook. */
export class LoadJourneys {
  readonly delays = new Durations();
  readonly changes = new CausedChanges();
  readonly pushed = new LastStates();
  readonly #options: LoadJourneysOptions;
  readonly #down = new Set<Mailbox>();
  #downUntil = 0;
  /** Changes that brought their webhook before the load, by the rule that they are due by. */
  readonly #toldAtRest = new Map<string, number>();

  constructor(options: LoadJourneysOptions) {
    this.#options = options;
    options.hub.add((delivery) => this.#note(delivery));
  }

  get isEmpty(): boolean {
    return this.#options.journeys.length === 0;
  }

  /** The operations that have to be prepared for them. */
  get operations(): readonly OperationId[] {
    return this.#options.journeys.flatMap(({ cost, needs }): OperationId[] => [
      ...((cost.quota ?? 0) > 0 ? (['wci.subscribe'] as const) : []),
      ...((cost.subscriptions ?? 0) > 0 && needs.includes('flight') ? (['fla.subscribe'] as const) : []),
      ...(needs.includes('flight') ? (['fla.lookup'] as const) : []),
    ]);
  }

  /** Throws if a journey cannot run here, before anything is sent for it. */
  refuseImpossible(): void {
    for (const { id, needs } of this.#options.journeys) {
      const missing = needs.filter((need) => !this.#has(need));
      if (missing.length === 0) continue;
      throw targetError(
        'JOURNEY_NEEDS',
        `The journey ${id} cannot run: ${missing.map((need) => lacks[need]).join('; ')}.`,
        'Leave it out of --journeys, or supply what it needs.',
      );
    }
  }

  /** Creates the runner of the journeys of a load; a factor of 0 leaves no time to think. */
  runner(
    {
      material,
      sender,
      signal: stopped,
    }: { readonly material: LoadMaterial; readonly sender: Sender; readonly signal: AbortSignal },
    { book, thinkFactor }: { readonly book: JourneyTotals; readonly thinkFactor: number },
  ): JourneyRunner {
    const { run, journeys, hub, on429, withinLimits } = this.#options;
    const { clock, settings, target, sink, pacer } = run;
    const over = new AbortController();
    const signal = AbortSignal.any([stopped, over.signal]);
    const identities = createIdentities(
      `${run.id}/journeys/${thinkFactor}`,
      deriveSeed(settings.seed, 'load/journeys'),
    );
    const options: PartnerOptions = {
      ...{ sender, material, identities, clock, signal, on429, thinkFactor, changes: this.changes },
      seed: settings.seed,
      webhookPatienceMs: webhookPatienceMs + troubleMs(this.#options.sinkManner),
      pacer: withinLimits ? pacer : null,
      otherKeys: target.keys.other,
      openAddress: (api) => {
        const base = sink?.urls[api] ?? null;
        if (sink === null || base === null) throw new Error(`the sink is out of reach of ${api}`);
        const token = this.#openMailbox(sink);
        return { url: `${base}/${token}`, authHeader: identities.authHeader(), registration: token };
      },
      set: async (state, params) => {
        await target.stateHandler.set(state, params);
      },
      watch: (registration, wake) => hub.watch(registration, wake),
    };
    const partner = createPartner.bind(null, options);
    return new JourneyRunner({
      journeys: new Map(journeys.map((one) => [one.id, one])),
      book,
      clock,
      signal,
      breakOff: () => over.abort(new Error('the load is over')),
      partner,
    });
  }

  /** What was taken alone is over: the webhooks that came of it are what holds at rest. */
  rested(judge: LoadJudge): void {
    for (const [requirement, { told }] of this.changes.byRequirement) {
      this.#toldAtRest.set(requirement, told);
      judge.hold(requirement, told);
    }
  }

  /** Called when the load starts: a sink that is down comes back after `downMs`. */
  begin(): void {
    const { sinkManner, run } = this.#options;
    if (sinkManner.kind !== 'down') return;
    this.#downUntil = run.clock.monotonic() + sinkManner.forMs;
    run.scope.defer(
      run.clock.timer(sinkManner.forMs, () => {
        for (const mailbox of this.#down) mailbox.answerWith(accepting);
        this.#down.clear();
      }),
    );
  }

  #openMailbox(sink: Sink): string {
    const { sinkManner, run } = this.#options;
    const downMs = this.#downUntil - run.clock.monotonic();
    const mailbox = sink.inbox.open(scriptOf(sinkManner, downMs));
    if (downMs > 0) this.#down.add(mailbox);
    return mailbox.token;
  }

  /** Waits for the last webhooks, and judges whether every change has had one; says whether surely nothing more comes. */
  async settle(judge: LoadJudge): Promise<boolean> {
    const { clock, target } = this.#options.run;
    const tellsPending = target.stateHandler.offers('callbacks.pending');
    const { sinkManner } = this.#options;
    const from = clock.monotonic();
    let idle = 0;
    // What a failing sink refused comes again, and counts as long as something is pending.
    const isAwaited = () => {
      const { caused, lost } = this.changes.counts;
      const isLong = lost > 0 || (sinkManner.kind !== 'ok' && caused > 0);
      const patienceMs = isLong ? settleMs + troubleMs(sinkManner) : tellsPending && caused > 0 ? quietMs : 0;
      return clock.monotonic() < from + patienceMs;
    };
    while (idle < 2 && isAwaited()) {
      await clock.sleep(200);
      // A handler that fails now says nothing of it.
      const told = tellsPending
        ? await target.stateHandler.set('callbacks.pending', {}).catch(() => null)
        : null;
      idle = told?.pending === 0 ? idle + 1 : 0;
    }
    this.#judgeLost(judge, idle >= 2);
    return idle >= 2;
  }

  #judgeLost(judge: LoadJudge, isQuiet: boolean): void {
    const turnedAway = this.#options.run.sink?.turnedAway?.() ?? 0;
    const isCertain = isQuiet && turnedAway === 0;
    for (const [requirement, { caused, told }] of this.changes.byRequirement) {
      judge.hold(requirement, told - (this.#toldAtRest.get(requirement) ?? 0));
      const example = this.changes.exampleOf(requirement);
      if (!example?.evidence) continue;
      const lost = caused - told;
      const text = `${lost} of ${caused} changes brought no webhook, such as one of ${example.subject}`;
      const judgement = isCertain
        ? differs(
            'lost',
            'callback',
            is.text('each change delivered at least once'),
            is.text(`${text}, and nothing more is pending`),
          )
        : unclear(turnedAway === 0 ? text : `${text}; the sink had to close ${turnedAway} connections`);
      // Each that is missing counts, so that the finding says how many of how many.
      for (let count = 0; count < lost; count += 1)
        judge.add({ ...sampleOf(requirement, judgement), evidence: [example.evidence] });
    }
  }

  #note(delivery: Delivery): void {
    const event = eventOf(delivery);
    if (!event) return;
    // A deployment may put words of its own around the message, or leave it out.
    const mark =
      markIn(event.changes.checkin_message) ??
      markIn(gateIn(event.changes)) ??
      this.changes.markOf(delivery.registration, event);
    const delayMs = mark === null ? null : this.changes.note(delivery, mark);
    this.pushed.note(event, delayMs !== null);
    if (delayMs !== null) this.delays.record(delayMs);
  }

  #has(need: JourneyNeed): boolean {
    const { settings, target, sink } = this.#options.run;
    switch (need) {
      case 'writes':
        return !settings.readOnly;
      case 'sink':
        return sink !== null && sink.urls.webcheckin !== null;
      case 'progress':
        return target.stateHandler.offers('checkin.progress');
      case 'flight':
        return settings.apis.includes('flight-alerts');
      case 'flight-changes':
        return (
          typeof sink?.urls['flight-alerts'] === 'string' &&
          flightStates.every((state) => target.stateHandler.offers(state))
        );
      case 'other-enterprise':
        return target.keys.other.length > 0;
    }
  }
}

/** The gate that a flight notification tells of. */
function gateIn({ departure }: JsonObject): unknown {
  return isObject(departure) ? departure.gate : null;
}

const lacks: Readonly<Record<JourneyNeed, string>> = {
  writes: '--read-only forbids writes',
  sink: 'callbacks do not reach the sink (--sink-public-url or --sink-listen)',
  progress: 'no state handler offers checkin.progress',
  flight: 'the target has no flight alerts',
  'flight-changes':
    'no state handler offers flights.put and flights.change, or flight notifications do not reach the sink (--sink-public-url)',
  'other-enterprise': 'there is no key of another enterprise (GATECHECK_KEYS_OTHER)',
};
