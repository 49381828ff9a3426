import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import type { Settings } from '../core/settings.ts';
import type { OpenRun } from '../engine/session/openRun.ts';
import type { BookRole } from '../engine/observe/recordBook.ts';
import { explorerCheck } from '../engine/session/explorer.ts';
import type { EngineCheck } from '../engine/suite.ts';
import { readSuites } from '../engine/session/suites.ts';
import { budgetsOf, type FullBudgets } from '../plan/budgets.ts';
import { capabilitiesOf, type AtHand } from '../plan/capabilities.ts';
import { explorerRoom } from '../plan/explorerRoom.ts';
import { expectedMs, makePlan } from '../plan/makePlan.ts';
import type { Plan, PlanInput } from '../plan/plan.ts';
import type { Rotation } from '../plan/rotation.ts';
import { assumedReach } from '../plan/sinkReach.ts';
import { reachOf, sinkHints } from '../receive/sink.ts';
import type { KeyRing } from '../send/keyRing.ts';
import { assumedKeys, assumedStates } from '../target/openTarget.ts';

/** What a run with these settings would do. Sends nothing. */
export async function planRun(
  settings: Settings,
  { waitsForLimits = false }: { readonly waitsForLimits?: boolean } = {},
): Promise<Plan<EngineCheck>> {
  const states = assumedStates(settings);
  return planWith(settings, await readSuites(), {
    states,
    keys: assumedKeys(settings),
    reach: assumedReach(settings, states),
    waitsForLimits,
    explores: true,
  });
}

/** What an open run has in addition to its settings. */
export function atHandOf(
  { target, sink }: OpenRun,
  waitsForLimits = false,
): AtHand & { readonly keys: KeyRing } {
  return { states: target.stateHandler.states, keys: target.keys, reach: reachOf(sink), waitsForLimits };
}

/** The capabilities for a load, which opens a sink only where it needs one. */
export function readCapabilities(run: OpenRun): readonly string[] {
  const { settings, sink } = run;
  const atHand = atHandOf(run);
  const reach = sink === null ? assumedReach(settings, atHand.states) : atHand.reach;
  return [...capabilitiesOf(settings, budgetsOf(settings), { ...atHand, reach })];
}

/** What else a plan has to take into account. */
interface PlanWishes {
  /** The user wants to test the limits. */
  readonly waitsForLimits?: boolean | undefined;
  readonly rotation?: Rotation | undefined;
  /** Whether the explorer goes on after the checks; by default it does not. */
  readonly explores?: boolean;
  /** Replaces the budgets of the settings and the record book: what a resumed run began with. */
  readonly begun?: { readonly budgets: FullBudgets; readonly booked: ReadonlySet<BookRole> } | undefined;
}

/** The plan of an open run, which knows what is available. */
export function planOpen(
  run: OpenRun,
  checks: readonly EngineCheck[],
  { waitsForLimits = false, rotation, explores = false, begun }: PlanWishes = {},
): Plan<EngineCheck> {
  return planWith(run.settings, checks, {
    ...{ ...atHandOf(run, waitsForLimits), hints: sinkHints(run.sink) },
    ...{ booked: begun?.booked ?? run.book.roles(), rotation },
    ...{ budgets: begun?.budgets ?? budgetsOf(run.settings), explores },
  });
}

type Having = AtHand & { readonly keys: KeyRing } & Partial<
    Pick<PlanInput<EngineCheck>, 'hints' | 'booked' | 'rotation' | 'budgets'> & Pick<PlanWishes, 'explores'>
  >;

function planWith(
  settings: Settings,
  checks: readonly EngineCheck[],
  { hints = {}, booked = new Set(), rotation, explores, budgets = budgetsOf(settings), ...atHand }: Having,
): Plan<EngineCheck> {
  const input = {
    ...{ checks, catalogue: loadCatalogue(), settings, budgets, hints, booked, rotation },
    capabilities: capabilitiesOf(settings, budgets, atHand),
    keys: atHand.keys.primary.length,
  };
  const plan = makePlan(input);
  return explores === true && rotation === undefined ? withExplorer(plan, input) : plan;
}

/** The explorer comes after the checks, with what they leave. */
function withExplorer(plan: Plan<EngineCheck>, input: PlanInput<EngineCheck>): Plan<EngineCheck> {
  const room = explorerRoom(plan, input.settings, input.capabilities);
  if (room === null) return plan;
  const check = explorerCheck(room);
  const cost = check.cost(0);
  const total = {
    ...plan.total,
    requests: plan.total.requests + cost.requests,
    quota: plan.total.quota + cost.quota,
  };
  return {
    ...plan,
    checks: [...plan.checks, { check, cases: 0, cost }],
    total,
    expectedMs: expectedMs(total.requests, input),
  };
}
