import type { PlannedCheck } from '../../plan/plan.ts';
import { BudgetExhausted } from '../../send/allowance.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import type { StateHandler } from '../../target/stateHandler.ts';
import type { RunObservations } from '../observe/runObservations.ts';
import type { OpenRun } from '../session/openRun.ts';
import type { EngineCheck } from '../suite.ts';
import type { Traffic } from '../session/traffic.ts';
import { statusWith } from './reach.ts';

interface HandlerUse {
  readonly observations: RunObservations;
  readonly traffic: Traffic;
  readonly state: Pick<StateHandler, 'offers' | 'set'>;
}

/**
 * Called before the first check: finds out whether the state handler is that of the target, if something rests on it. With one
 * of another deployment, checks would wait for states that never come, and blame the target.
 */
export async function proveHandler(
  planned: readonly PlannedCheck<EngineCheck>[],
  run: OpenRun,
  use: HandlerUse,
): Promise<void> {
  const { observer, trust } = use.observations;
  const isUsed = planned.some(({ check }) => check.needs.some((need) => need.startsWith('state:')));
  const [key] = run.target.keys.primary;
  const own = () => {
    observer.serverClock.prove();
    trust.own();
  };
  // What a run has started itself has a handler of its own.
  if (run.target.kind !== 'url') {
    own();
    return;
  }
  if (!key || !(isUsed || observer.serverClock.isDoubtful)) return;
  const belonging = await belongingOf(key, run, use).catch((error: unknown): Belonging => {
    if (error instanceof BudgetExhausted) return 'unknown';
    throw error;
  });
  if (belonging === 'own') own();
  if (belonging !== 'foreign') return;
  const time = observer.serverClock.isDoubtful ? ', and tells another time than its answers' : '';
  const why = `it is that of another deployment: the target refuses with 401 each key that it gave${time}`;
  trust.disown(why);
  observer.serverClock.disown();
  const at = run.settings.stateHandler?.url ?? '';
  const todo = 'Nothing rests on it, and what needs it stays undecided. Correct --state-handler.';
  run.tell({ name: 'notice', text: `The state handler at ${at} is not to be used: ${why}. ${todo}` });
}

/** `unknown` if nothing shows to which deployment a handler belongs. */
type Belonging = 'own' | 'foreign' | 'unknown';

/** Keys that a handler gives out are accepted only by the deployment that it changes. */
async function belongingOf(known: ApiKey, run: OpenRun, use: HandlerUse): Promise<Belonging> {
  const { observations, traffic, state } = use;
  const ways = [
    { name: 'keys.issue', params: { key: known.value, count: 1 }, enterprise: known.enterprise },
    { name: 'enterprise.create', params: { included_units: 1, keys: 1 }, enterprise: 'of the proof' },
  ];
  let refused = 0;
  for (const { name, params, enterprise } of ways.filter((way) => state.offers(way.name))) {
    const { keys } = await state.set(name, params).catch(() => ({ keys: [] }));
    const [value] = Array.isArray(keys) ? (keys as readonly string[]) : [];
    const [given] = value === undefined ? [] : observations.observer.secrets.adopt(enterprise, [value]);
    const status = given && (await statusWith(run, traffic, given));
    if (status === 401) refused += 1;
    else if (status === 200) return 'own';
  }
  return refused > 0 ? 'foreign' : 'unknown';
}
