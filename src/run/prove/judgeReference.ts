import { appliesTo } from '../../catalogue/appliesTo.ts';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { systemClock } from '../../core/clock.ts';
import { apis, type Api } from '../../core/operations.ts';
import { Redactor } from '../../core/redact.ts';
import type { Profile, Settings } from '../../core/settings.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import type { Listener } from '../../engine/events.ts';
import type { CheckOutcome } from '../../engine/outcome.ts';
import { Session } from '../../engine/session.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import { judgeRows } from '../../engine/verdicts.ts';
import type { CatalogueRow } from '../../catalogue/row.ts';
import type { Verdict } from '../../judge/kernel/verdict.ts';
import { unassignedAirline } from '../../generate/kit/places.ts';
import { oracles } from '../../judge/oracles.ts';
import { budgetsOf } from '../../plan/budgets.ts';
import { capabilitiesOf } from '../../plan/capabilities.ts';
import { makePlan } from '../../plan/plan.ts';
import type { Policy } from '../../reference/policy.ts';
import { Inbox, tokensFrom } from '../../receive/inbox.ts';
import { reachOf } from '../../receive/sink.ts';
import { noJournal } from '../../send/journal.ts';
import type { StateHandler } from '../../target/stateHandler.ts';
import { inProcessSink, openEmbeddedTarget, openInProcessTarget } from '../../target/embedded.ts';

/** What the checks say of the reference under one policy. */
export interface Judged {
  readonly verdicts: ReadonlyMap<CatalogueRow, Verdict>;
  readonly outcomes: readonly CheckOutcome[];
  readonly requests: number;
  /** Requests that had been sent when the first finding was certain; null where there was none. */
  readonly requestsToFirstFinding: number | null;
}

export interface JudgeOptions {
  readonly checks: readonly EngineCheck[];
  readonly policy?: Policy;
  readonly seed?: number;
  readonly profile?: Profile;
  readonly only?: readonly string[];
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
  /** Told of everything as it happens. */
  readonly listener?: Listener;
  /** Told of the rows that an oracle sees violated, at once. */
  readonly onViolated?: (rows: readonly string[]) => void;
}

/** Judges the reference in process and in virtual time: the whole of a run but the socket and the waiting. */
export async function judgeReference(options: JudgeOptions): Promise<Judged> {
  const settings = settingsFor(options);
  const clock = options.overHttp === true ? systemClock : new VirtualClock(options.startAt ?? defaultStart);
  const inbox = new Inbox({ clock, newToken: tokensFrom(`proof ${settings.seed}`) });
  const open = options.overHttp === true ? openEmbeddedTarget : openInProcessTarget;
  const opened = await open({
    settings,
    clock,
    inbox,
    ...(options.policy === undefined ? {} : { policy: options.policy }),
  });
  const target = { ...opened, stateHandler: withoutStates(opened.stateHandler, options.without ?? []) };
  const catalogue = loadCatalogue();
  const budgets = budgetsOf(settings);
  const sink = options.overHttp === true ? null : inProcessSink(inbox);
  const capabilities = capabilitiesOf(settings, budgets, {
    states: target.stateHandler.states,
    keys: target.keys,
    reach: reachOf(sink),
  });
  const keys = target.keys.primary.length;
  const plan = makePlan({ checks: options.checks, catalogue, settings, budgets, capabilities, keys });
  let requests = 0;
  let requestsToFirstFinding: number | null = null;
  const session = new Session({
    runId: `proof-${settings.seed}`,
    settings,
    plan,
    catalogue,
    oracles,
    target,
    sink,
    clock,
    // A violation that an oracle sees is certain at once, long before its check is settled.
    journal: {
      ...noJournal,
      exchange: (_exchange, violated) => {
        if (violated.length === 0) return;
        requestsToFirstFinding ??= requests + 1;
        options.onViolated?.(violated);
      },
    },
    redactor: new Redactor(),
    listener: (event) => {
      if (event.name === 'exchange') requests += 1;
      if (event.name === 'finding') requestsToFirstFinding ??= requests;
      options.listener?.(event);
    },
    signal: options.signal ?? new AbortController().signal,
    width: 1,
    onDemand: null,
    paceFile: null,
  });
  try {
    await session.run();
  } finally {
    await target.close();
  }
  const verdicts = judgeRows(
    [...catalogue.requirements, ...catalogue.openPoints].filter(appliesTo(settings.apis)),
    {
      checks: options.checks,
      outcomes: session.outcomes,

      dialect: session.dialect,
      pins: {},
    },
  );
  return { verdicts, outcomes: session.outcomes, requests, requestsToFirstFinding };
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
function settingsFor(options: JudgeOptions): Settings {
  return {
    target: { kind: 'embedded' },
    apis: options.apis ?? apis,
    profile: options.profile ?? 'standard',
    seed: options.seed ?? 1,
    only: options.only ?? [],
    budgets: {
      maxRequests: options.maxRequests ?? null,
      maxQuota: null,
      maxSubscriptions: null,
      maxDurationMs: null,
    },
    readOnly: false,
    require: [],
    minMust: null,
    stateHandler: null,
    sink: { listen: { host: '127.0.0.1', port: 0 }, publicUrl: null, certFile: null, keyFile: null },
    watchMs: null,
    reportDir: null,
    baseline: null,
    strict: false,
    shard: null,
    keys: {
      primary: [],
      other: [],
      revoked: null,
      disabled: null,
      noEntitlement: null,
      suspended: null,
      exhausted: null,
    },
    itineraries: {
      domestic: null,
      international: null,
      twoLeg: null,
      unsupportedAirline: unassignedAirline.iata,
    },
    flights: [],
    limits: { perMinute: 60, perHour: 1000 },
    openPoints: {},
    http: {
      connectTimeoutMs: 5000,
      responseTimeoutMs: 10_000,
      maxBodyBytes: 1 << 20,
      proxy: null,
      extraCa: null,
      headers: {},
    },
  };
}
