import type { Exchange } from '../../core/evidence.ts';
import type { Settings } from '../../core/settings.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import type { SideEffect } from '../../engine/observe/ledger.ts';
import { openRun, type RunPorts } from '../../engine/session/openRun.ts';
import { Session } from '../../engine/session/session.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import type { Cost } from '../../plan/check.ts';
import type { Recorded, RecordedChecks } from '../../plan/recorded.ts';
import { Inbox, tokensFrom } from '../../receive/inbox.ts';
import { noJournal } from '../../send/journal.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { inProcessSink, openInProcessTarget } from '../../target/embedded.ts';
import { noStateHandler, type StateHandler } from '../../target/stateHandler.ts';
import { planOpen } from '../planRun.ts';

/** A run whose costs are recorded: how many cases each check gets beyond the minimum, and what the state handler offers. */
interface Recording {
  readonly further: number;
  readonly states: 'all' | 'none' | 'no clock';
}

/** With all states for each form of a check; without states for checks that only run if they are missing. */
const recordings: readonly Recording[] = [
  { further: 0, states: 'all' },
  { further: 1, states: 'all' },
  { further: 2, states: 'all' },
  { further: 0, states: 'none' },
  { further: 0, states: 'no clock' },
];

/** What one check spent in a run. */
type Spent = (check: string) => Cost;

/** What each check spends against the embedded reference, the maximum of all recordings; without fixtures. */
export async function recordCosts(checks: readonly EngineCheck[]): Promise<RecordedChecks<Cost>> {
  const recorded = checks.filter(({ kind, isBounded }) => kind !== 'passive' && isBounded !== true);
  const runs: { readonly further: number; readonly spent: Spent }[] = [];
  for (const recording of recordings)
    runs.push({ further: recording.further, spent: await spentIn(recording, recorded) });
  const most = (id: string, further: number) =>
    runs
      .filter((run) => run.further === further)
      .reduce((cost, { spent }) => larger(cost, spent(id)), nothing);
  const costs = recorded.map(({ id, cases: { minCases, maxCases } }) => {
    const [least, more, evenMore] = [most(id, 0), most(id, 1), most(id, 2)];
    return [id, inShort(least, { more, each: minus(evenMore, more), forms: maxCases - minCases })] as const;
  });
  return Object.fromEntries(costs.sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function spentIn(recording: Recording, checks: readonly EngineCheck[]): Promise<Spent> {
  const settings = amply();
  const exchanges: Exchange[] = [];
  const keep = (exchange: Exchange) => void exchanges.push(exchange);
  await using run = await openRun(settings, portsFor(recording, settings, keep));
  const whole = planOpen(run, checks, { waitsForLimits: true });
  const planned = whole.checks.map((one) => {
    const { minCases, maxCases } = one.check.cases;
    return { ...one, cases: Math.min(maxCases, minCases + recording.further) };
  });
  const session = new Session(run, { plan: { ...whole, checks: planned }, waitsForLimits: true });
  await session.run();
  return costsOf(exchanges, session.traffic.ledger.sideEffects);
}

function costsOf(exchanges: readonly Exchange[], effects: readonly SideEffect[]): Spent {
  const checkOf = new Map(exchanges.map(({ id, check }) => [id, check]));
  const count = (check: string, wanted: SideEffect['kind']) =>
    effects.filter(({ kind, exchange }) => kind === wanted && checkOf.get(exchange ?? '') === check).length;
  return (check) => ({
    requests: exchanges.filter((exchange) => exchange.check === check).length,
    quota: count(check, 'quota'),
    subscriptions: count(check, 'subscription'),
  });
}

/** Settings under which nothing is left out. */
export function amply(): Settings {
  const many = 1_000_000;
  const budgets = { maxRequests: many, maxQuota: many, maxSubscriptions: many };
  const settings = resolveSettings({ seed: 1, profile: 'full', budgets }, { env: {} });
  return { ...settings, watchMs: 3_600_000 };
}

function portsFor({ states }: Recording, settings: Settings, keep: (exchange: Exchange) => void): RunPorts {
  const clock = new VirtualClock(Date.UTC(2026, 6, 15, 9, 30));
  const inbox = new Inbox({ clock, newToken: tokensFrom('costs') });
  return {
    ...{ id: 'costs', clock, openJournal: () => ({ ...noJournal, exchange: keep }) },
    openTarget: async () => {
      const target = await openInProcessTarget({ settings, clock, inbox });
      return { ...target, stateHandler: handlers[states](target.stateHandler) };
    },
    openSink: () => Promise.resolve(inProcessSink(inbox)),
  };
}

const handlers: Readonly<Record<Recording['states'], (handler: StateHandler) => StateHandler>> = {
  all: (handler) => handler,
  none: () => noStateHandler,
  'no clock': (handler) => ({
    ...handler,
    states: handler.states.filter((state) => state !== 'clock.advance'),
    offers: (state) => state !== 'clock.advance' && handler.offers(state),
    clock: new Set(),
  }),
};

const kinds = ['requests', 'quota', 'subscriptions'] as const;
const nothing: Cost = { requests: 0, quota: 0, subscriptions: 0 };

function combine(one: Cost, other: Cost, by: (a: number, b: number) => number): Cost {
  return Object.fromEntries(kinds.map((kind) => [kind, by(one[kind], other[kind])])) as unknown as Cost;
}

function larger(one: Cost, other: Cost): Cost {
  return combine(one, other, Math.max);
}

function minus(one: Cost, other: Cost): Cost {
  return combine(one, other, (a, b) => a - b);
}

interface Forms {
  readonly more: Cost;
  readonly each: Cost;
  /** Number of cases beyond the minimum. */
  readonly forms: number;
}

/** Without zeros, and without forms that do not exist. */
function inShort(least: Cost, { more, each, forms }: Forms): Recorded<Cost> {
  return {
    least: brief(least),
    ...(forms > 0 ? { more: brief(more) } : {}),
    ...(forms > 1 ? { each: brief(each) } : {}),
  };
}

function brief(cost: Cost): Partial<Cost> {
  return Object.fromEntries(kinds.filter((kind) => cost[kind] !== 0).map((kind) => [kind, cost[kind]]));
}
