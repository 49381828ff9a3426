import { appliesTo } from '../../catalogue/appliesTo.ts';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import type { CatalogueRow } from '../../catalogue/row.ts';
import { systemClock, type Clock } from '../../core/clock.ts';
import type { Api } from '../../core/operations.ts';
import type { Profile, Settings } from '../../core/settings.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import type { Listener } from '../../engine/events.ts';
import { openRun, type RunPorts } from '../../engine/openRun.ts';
import type { CheckOutcome } from '../../engine/outcome.ts';
import { Session } from '../../engine/session.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import { judgeRows } from '../../engine/verdicts.ts';
import type { Verdict } from '../../judge/kernel/verdict.ts';
import { isBroken } from '../../judge/kernel/weight.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Policy } from '../../reference/policy.ts';
import { Inbox, tokensFrom } from '../../receive/inbox.ts';
import type { Sink } from '../../receive/sink.ts';
import { noJournal, type Journal } from '../../send/journal.ts';
import { resolveSettings } from '../../settings/resolveSettings.ts';
import { KeyRing } from '../../send/keyRing.ts';
import { noStateHandler, type StateHandler } from '../../target/stateHandler.ts';
import { inProcessSink, openEmbeddedTarget, openInProcessTarget } from '../../target/embedded.ts';
import { plainWire, type Wire } from '../../wire/wire.ts';
import { planOpen } from '../planRun.ts';
import { inboxBehind, targetBehind } from './behindWire.ts';

/** What the checks say of the reference under one policy. */
export interface Judged {
  readonly verdicts: ReadonlyMap<CatalogueRow, Verdict>;
  readonly outcomes: readonly CheckOutcome[];
  readonly requests: number;
  /** Requests that had been sent when the first finding was certain; null where there was none. */
  readonly requestsToFirstFinding: number | null;
  /** Checks and fixtures whose traffic showed something amiss. */
  readonly tellers: readonly string[];
}

interface JudgeOptions {
  readonly checks: readonly EngineCheck[];
  readonly policy?: Policy;
  readonly seed?: number;
  readonly profile?: Profile;
  readonly only?: readonly string[];
  /** Of the planned checks only these are run, with the cases that they have in the whole plan; oracles always judge. */
  readonly among?: ReadonlySet<string>;
  readonly apis?: readonly Api[];
  readonly maxRequests?: number;
  /** Through a real socket and in real time. */
  readonly overHttp?: boolean;
  /** Epoch milliseconds at which virtual time starts. */
  readonly startAt?: number;
  /** Ends the run before its end; what was found by then counts. */
  readonly signal?: AbortSignal;
  /** States that the state handler is to offer no more. */
  readonly without?: readonly string[];
  /** As a user with one key has it: no second key, no special ones, no state handler, and a sink for Web Check-in only. */
  readonly alone?: boolean;
  /** Stands between the checks and the deployment. */
  readonly wire?: (clock: Clock) => Wire;
  /** Told of everything as it happens. */
  readonly listener?: Listener;
  /** Told of the rows that an oracle sees violated, at once. */
  readonly onViolated?: (rows: readonly string[]) => void;
}

/** Judges the reference in process and in virtual time: the whole of a run but the socket and the waiting. */
export async function judgeReference(options: JudgeOptions): Promise<Judged> {
  const settings = settingsFor(options);
  const first = new FirstFinding(options);
  await using run = await openRun(settings, portsFor(options, settings, first));
  const session = new Session(run, { plan: amongThem(planOpen(run, options.checks), options.among) });
  await session.run();
  const { requirements, openPoints } = loadCatalogue();
  const { outcomes, dialect } = session;
  const verdicts = judgeRows([...requirements, ...openPoints].filter(appliesTo(settings.apis)), {
    ...{ checks: options.checks, outcomes, dialect, pins: {} },
  });
  const found = { requestsToFirstFinding: first.at, tellers: [...first.tellers] };
  return { verdicts, outcomes, requests: first.requests, ...found };
}

function amongThem(plan: Plan<EngineCheck>, chosen: JudgeOptions['among']): Plan<EngineCheck> {
  if (!chosen) return plan;
  return {
    ...plan,
    checks: plan.checks.filter(({ check }) => check.kind === 'passive' || chosen.has(check.id)),
  };
}

/** Counts the requests until a finding is certain. */
class FirstFinding {
  requests = 0;
  at: number | null = null;
  readonly tellers = new Set<string>();
  /** Subscribes with an address for callbacks, by the check that sent them: what is delivered there is caused by it. */
  readonly #registered: { readonly check: string; readonly body: string }[] = [];
  readonly #options: JudgeOptions;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** A violation that an oracle sees is certain at once, long before its check is settled. */
  readonly journal: Journal = {
    ...noJournal,
    exchange: ({ check, operation, request: { body } }, violated) => {
      if (body !== null && operation?.endsWith('.subscribe') === true) this.#note(check, body);
      if (violated.length === 0) return;
      this.tellers.add(check);
      this.at ??= this.requests + 1;
      this.#options.onViolated?.(violated);
    },
    delivery: ({ registration }, violated) => {
      if (violated.length === 0) return;
      this.at ??= this.requests;
      const cause = this.#registered.findLast(({ body }) => body.includes(registration));
      if (cause) this.tellers.add(cause.check);
      this.#options.onViolated?.(violated);
    },
  };

  readonly listener: Listener = (event) => {
    if (event.name === 'exchange') this.requests += 1;
    if (
      event.name === 'finding' &&
      isBroken({ level: loadCatalogue().get(event.requirement).level, status: event.severity })
    ) {
      this.at ??= this.requests;
      this.tellers.add(event.check);
    }
    this.#options.listener?.(event);
  };

  #note(check: string, bytes: Uint8Array): void {
    const body = Buffer.from(bytes).toString('latin1');
    if (body.includes('callbackUrl')) this.#registered.push({ check, body });
  }
}

function portsFor(options: JudgeOptions, settings: Settings, { journal, listener }: FirstFinding): RunPorts {
  const { policy, startAt = defaultStart, overHttp = false, signal, without = [], alone = false } = options;
  const clock = overHttp ? systemClock : new VirtualClock(startAt);
  const inbox = new Inbox({ clock, newToken: tokensFrom(`proof ${settings.seed}`) });
  const wire = options.wire?.(clock) ?? plainWire;
  const reference = { settings, clock, policy, deploymentClock: wire.clock?.(clock) };
  const open = () =>
    overHttp
      ? openEmbeddedTarget(reference)
      : openInProcessTarget({ ...reference, inbox: inboxBehind(wire, inbox) });
  return {
    ...{ id: `proof-${settings.seed}`, clock, signal, listener },
    openJournal: () => journal,
    openTarget: async () => {
      const target = targetBehind(wire, await open());
      if (alone) return { ...target, keys: oneKeyOf(target.keys), stateHandler: noStateHandler };
      return { ...target, stateHandler: withoutStates(target.stateHandler, without) };
    },
    openSink: () => Promise.resolve(overHttp ? null : alone ? checkinSink(inbox) : inProcessSink(inbox)),
  };
}

function oneKeyOf({ primary }: KeyRing): KeyRing {
  const values = primary.slice(0, 1).map(({ value }) => value);
  return KeyRing.of({ primary: values, other: [], special: {} });
}

/** Flight Alerts demands a public HTTPS name, which a sink on this machine has not. */
function checkinSink(inbox: Inbox): Sink {
  const sink = inProcessSink(inbox);
  return { ...sink, urls: { ...sink.urls, 'flight-alerts': null } };
}

/** A handler that offers less, as other deployments do. */
function withoutStates(handler: StateHandler, hidden: readonly string[]): StateHandler {
  return {
    ...handler,
    states: handler.states.filter((state) => !hidden.includes(state)),
    offers: (state) => !hidden.includes(state) && handler.offers(state),
  };
}

/** A Wednesday in the middle of a month, far from changes of daylight saving. */
const defaultStart = Date.UTC(2026, 6, 15, 9, 30);

/** The settings of a run against the embedded reference. */
function settingsFor({ apis, profile, seed = 1, only, maxRequests }: JudgeOptions): Settings {
  return resolveSettings(
    { apis: apis && [...apis], profile, seed, only: only && [...only], budgets: { maxRequests } },
    { env: {} },
  );
}
