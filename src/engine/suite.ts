import { twoForms, type Capability, type Check, type Cost, type FixtureName } from '../plan/check.ts';
import type { Oracle } from '../judge/kernel/oracle.ts';
import type { CheckContext } from './context.ts';
import { countRows, sampleOf, type Rows } from './rows.ts';

export type EngineCheck = Check<CheckContext>;

/** The checks of one section of the documents, in reading order. */
export interface Suite {
  readonly title: string;
  readonly checks: readonly EngineCheck[];
}

/** Installed by vitest's set-up file: turns each check of a suite into a test. Absent where suites are read as data. */
type Registrar = (suite: Suite) => void;

const registrarKey = Symbol.for('gatecheck.registrar');

export function installRegistrar(registrar: Registrar): void {
  (globalThis as Record<symbol, unknown>)[registrarKey] = registrar;
}

/** Names the checks of one suite file; under vitest it registers them as tests as well. */
export function suite(title: string, checks: readonly EngineCheck[]): Suite {
  const made = { title, checks };
  const registrar = (globalThis as Record<symbol, unknown>)[registrarKey] as Registrar | undefined;
  registrar?.(made);
  return made;
}

interface Definition {
  /** Starts with `shared.`, `wci.` or `fla.`. */
  readonly id: string;
  readonly title: string;
  readonly verifies: readonly string[];
  readonly needs?: readonly Capability[];
  readonly uses?: readonly FixtureName[];
  readonly tags?: readonly string[];
  /** Quota units that stay spent, fixtures not included. */
  readonly quota?: number;
  /** Flight subscriptions that stay behind, fixtures not included. */
  readonly subscriptions?: number;
  readonly exclusive?: boolean;
}

interface Run {
  readonly run: (context: CheckContext) => Promise<void>;
}

interface RunOver<R extends Rows> {
  readonly rows: R;
  /** With all rows or, where the run is sparing, with a sample: one row of each rule. */
  readonly run: (context: CheckContext, rows: R) => Promise<void>;
}

/** A check that sends the same `requests` whatever the budget is; fixtures not included. */
export function fixed(definition: Definition & Run & { readonly requests: number }): EngineCheck {
  return define(
    'fixed',
    definition,
    () => definition.requests,
    () => ({ quota: definition.quota ?? 0, subscriptions: definition.subscriptions ?? 0 }),
  );
}

interface TwoForms {
  readonly requests: number;
  readonly leastRequests: number;
  /** Quota units that the sparing form spends; `quota` where it spends as many. */
  readonly leastQuota?: number;
}

/** A check over rows: it sends a sample of them where the run is sparing, and all of them otherwise. */
export function table<R extends Rows>(definition: Definition & RunOver<R> & TwoForms): EngineCheck {
  return { ...sparing({ ...definition, run: over(definition) }), rows: countsOf(definition.rows) };
}

/** A check with a sparing form, in which it spends less and says less: `t.isSparing` tells which one is asked for. */
export function sparing(definition: Definition & Run & TwoForms): EngineCheck {
  const { requests, leastRequests, quota = 0, leastQuota = quota, subscriptions = 0 } = definition;
  return define(
    'property',
    definition,
    (cases) => (cases > 1 ? requests : leastRequests),
    (cases) => ({ quota: cases > 1 ? quota : leastQuota, subscriptions }),
    twoForms,
  );
}

interface Generated {
  readonly requestsPerCase: number;
  /** Requests that are sent once, before the first case. */
  readonly setUp?: number;
  /** Those of them that a single case needs, where it takes a sample of the rows; `setUp` where it takes all. */
  readonly leastSetUp?: number;
  /** Those of `quota` that a single case needs; `quota` where it needs as many. */
  readonly leastQuota?: number;
  /** Quota units that each case spends, beside `quota`. */
  readonly quotaPerCase?: number;
  /** Flight subscriptions that each case leaves behind, beside `subscriptions`. */
  readonly subscriptionsPerCase?: number;
  readonly minCases?: number;
  readonly maxCases?: number;
}

/**
 * A check over generated cases, at least `minCases` and at most `maxCases`, which sends `requestsPerCase` for each. It may
 * send rows as well, as a table does.
 */
export function property<R extends Rows = readonly []>(
  definition: Definition & Partial<Pick<RunOver<R>, 'rows'>> & Pick<RunOver<R>, 'run'> & Generated,
): EngineCheck {
  const { requestsPerCase, setUp = 0, leastSetUp = setUp, minCases = 1, maxCases = 200 } = definition;
  const { quota = 0, quotaPerCase = 0, subscriptions = 0, subscriptionsPerCase = 0 } = definition;
  const { leastQuota = quota, rows } = definition;
  const count = (cases: number) => clamp(cases, minCases, maxCases);
  const check = define(
    'property',
    {
      ...definition,
      run: over({ ...definition, rows: rows ?? ([] as unknown as R) }),
      quota: quota + quotaPerCase * minCases,
      subscriptions: subscriptions + subscriptionsPerCase * minCases,
    },
    (cases) => (count(cases) > 1 ? setUp : leastSetUp) + requestsPerCase * count(cases),
    (cases) => ({
      quota: (count(cases) > 1 ? quota : leastQuota) + quotaPerCase * count(cases),
      subscriptions: subscriptions + subscriptionsPerCase * count(cases),
    }),
    { minCases, maxCases },
  );
  return rows === undefined ? check : { ...check, rows: countsOf(rows) };
}

function over<R extends Rows>({ rows, run }: RunOver<R>): Run['run'] {
  return (t) => run(t, t.isSparing ? sampleOf(rows, t.settings.seed) : rows);
}

function countsOf(rows: Rows): EngineCheck['rows'] {
  return { all: countRows(rows), sample: countRows(sampleOf(rows, 0)) };
}

/** The verdict of a passive oracle, shown as a check. Sends nothing. */
export function passive(
  prefix: 'shared' | 'wci' | 'fla',
  oracle: Pick<Oracle, 'id' | 'title' | 'verifies'>,
): EngineCheck {
  return define(
    'passive',
    {
      id: `${prefix}.passive.${oracle.id}`,
      title: oracle.title,
      verifies: oracle.verifies,
      run: () => Promise.resolve(),
    },
    () => 0,
    () => ({ quota: 0, subscriptions: 0 }),
  );
}

function define(
  kind: EngineCheck['kind'],
  definition: Definition & Run,
  requests: (cases: number) => number,
  units: (cases: number) => Omit<Cost, 'requests'>,
  range: { minCases: number; maxCases: number } = { minCases: 1, maxCases: 1 },
): EngineCheck {
  const {
    id,
    title,
    verifies,
    run,
    needs = [],
    uses = [],
    tags = [],
    quota = 0,
    subscriptions = 0,
  } = definition;
  return {
    id,
    title,
    kind,
    api: apiOf(id),
    verifies,
    needs: [...new Set([...needs, ...impliedNeeds(quota, subscriptions, uses)])],
    tags: [...tags, kind],
    uses,
    exclusive: definition.exclusive ?? false,
    cost: (cases): Cost => ({ requests: requests(cases), ...units(cases) }),
    cases: range,
    rows: null,
    run,
  };
}

const quotaFixtures: ReadonlySet<FixtureName> = new Set([
  'complete-record',
  'incomplete-record',
  'workbench-record',
  'other-record',
  'domestic-record',
  'two-leg-record',
  'date-line-record',
  'scratch-record',
]);

const subscriptionFixtures: ReadonlySet<FixtureName> = new Set([
  'polling-subscription',
  'callback-subscription',
]);

function impliedNeeds(
  quota: number,
  subscriptions: number,
  uses: readonly FixtureName[],
): readonly Capability[] {
  return [
    ...(quota > 0 || uses.some((name) => quotaFixtures.has(name)) ? (['writes', 'quota'] as const) : []),
    ...(subscriptions > 0 || uses.some((name) => subscriptionFixtures.has(name))
      ? (['writes', 'subscriptions'] as const)
      : []),
    ...(uses.includes('other-record') ? (['other-enterprise'] as const) : []),
    ...(uses.includes('known-flight') || uses.some((name) => subscriptionFixtures.has(name))
      ? (['known-flight'] as const)
      : []),
  ];
}

function apiOf(id: string): EngineCheck['api'] {
  if (id.startsWith('wci.')) return 'webcheckin';
  if (id.startsWith('fla.')) return 'flight-alerts';
  if (id.startsWith('shared.')) return 'shared';
  throw new Error(`the id of a check starts with shared., wci. or fla., and this one is ${id}`);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
