import {
  twoForms,
  type Capability,
  type Check,
  type Cost,
  type Exclusive,
  type FixtureName,
} from '../plan/check.ts';
import type { Oracle } from '../judge/kernel/oracle.ts';
import { costPerCase, recordedCost } from '../plan/recorded.ts';
import type { CheckContext } from './attempt/context.ts';
import { deriveSeed } from '../core/random.ts';

export type EngineCheck = Check<CheckContext>;

/** The checks of one section of the documents, in reading order. */
export interface Suite {
  readonly title: string;
  readonly checks: readonly EngineCheck[];
}

/** Installed by vitest's set-up file: turns each check of a suite into a test. Absent if suites are read as data. */
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
  readonly exclusive?: Exclusive;
  readonly isOneThing?: boolean;
}

interface Run {
  readonly run: (context: CheckContext) => Promise<void>;
}

interface RunOver<R extends Rows> {
  readonly rows: R;
  /** With all rows or, in a sparing run, with a sample: one row for each rule. */
  readonly run: (context: CheckContext, rows: R) => Promise<void>;
}

/** A check that sends the same requests whatever the budget is. */
export function fixed(definition: Definition & Run): EngineCheck {
  return define('fixed', definition);
}

/** A check over rows: in a sparing run it sends a sample of them, otherwise all. */
export function table<R extends Rows>(definition: Definition & RunOver<R>): EngineCheck {
  return { ...sparing({ ...definition, run: over(definition) }), rows: countsOf(definition.rows) };
}

/** A check with a sparing form that spends less and says less: `t.isSparing` says which one is wanted. */
export function sparing(definition: Definition & Run): EngineCheck {
  return define('property', definition, twoForms);
}

interface Generated {
  readonly minCases?: number;
  readonly maxCases?: number;
  /** Most that one case spends, if the seed decides how much: a recorded cost would be valid for one seed only. */
  readonly mostPerCase?: Partial<Cost>;
}

/** A check over generated cases, at least `minCases` and at most `maxCases`. It may also send rows, like a table. */
export function property<R extends Rows = readonly []>(
  definition: Definition & Partial<Pick<RunOver<R>, 'rows'>> & Pick<RunOver<R>, 'run'> & Generated,
): EngineCheck {
  const { rows, minCases = 1, maxCases = 200 } = definition;
  const run = over({ ...definition, rows: rows ?? ([] as unknown as R) });
  const check = define('property', { ...definition, run }, { minCases, maxCases });
  return rows === undefined ? check : { ...check, rows: countsOf(rows) };
}

function over<R extends Rows>({ rows, run }: RunOver<R>): Run['run'] {
  return (t) => run(t, t.isSparing ? sampleRows(rows, t.settings.seed) : rows);
}

function countsOf(rows: Rows): EngineCheck['rows'] {
  return { all: countRows(rows), sample: countRows(sampleRows(rows, 0)) };
}

/** The verdict of a passive oracle, shown as a check. Sends nothing. */
export function passive(
  prefix: 'shared' | 'wci' | 'fla',
  oracle: Pick<Oracle, 'id' | 'title' | 'verifies' | 'replaces'> | undefined,
): EngineCheck {
  if (!oracle) throw new Error('Expected an oracle. Export it from suites/vocabulary/oracles.ts.');
  const { id, title, verifies, replaces = [] } = oracle;
  return define('passive', {
    ...{ id: `${prefix}.passive.${id}`, title, verifies, mostPerCase: {} },
    tags: replaces.map((one) => (one.includes('.') ? one : `${prefix}.passive.${one}`)),
    run: () => Promise.resolve(),
  });
}

function define(
  kind: EngineCheck['kind'],
  definition: Definition & Run & Pick<Generated, 'mostPerCase'>,
  cases: EngineCheck['cases'] = { minCases: 1, maxCases: 1 },
): EngineCheck {
  const { id, title, verifies, run, needs = [], uses = [], tags = [], mostPerCase } = definition;
  const cost = mostPerCase ? costPerCase(mostPerCase, cases) : recordedCost(id, cases);
  return {
    ...{ id, title, kind, api: apiOf(id), verifies, uses, cost, cases, run, rows: null },
    needs: [...new Set([...needs, ...impliedNeeds(cost(cases.maxCases), uses)])],
    tags: [...tags, kind],
    exclusive: definition.exclusive ?? false,
    isOneThing: definition.isOneThing ?? false,
    isBounded: mostPerCase !== undefined,
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

function impliedNeeds({ quota, subscriptions }: Cost, uses: readonly FixtureName[]): readonly Capability[] {
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

/** A row of a table, with the rule that it is about: rows of the same rule show much the same. */
interface Row {
  readonly rule: string;
}

/** The rows of a check: one list, or several by name. */
type Rows = readonly Row[] | Readonly<Record<string, readonly Row[]>>;

/** One row for each rule in each list; a different one in another run. */
export function sampleRows<R extends Rows>(rows: R, seed: number): R {
  return mapLists(rows, (list) => sampleOfList(list, seed));
}

/** Number of rows in all lists. */
export function countRows(rows: Rows): number {
  let count = 0;
  mapLists(rows, (list) => ((count += list.length), list));
  return count;
}

/** The rules of some rows, each once. */
export function rulesOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.map(({ rule }) => rule))];
}

function sampleOfList(rows: readonly Row[], seed: number): readonly Row[] {
  return rulesOf(rows).flatMap((rule) => {
    const same = rows.filter((row) => row.rule === rule);
    const row = same[deriveSeed(seed, rule) % same.length];
    return row === undefined ? [] : [row];
  });
}

function mapLists<R extends Rows>(rows: R, change: (list: readonly Row[]) => readonly Row[]): R {
  if (Array.isArray(rows)) return change(rows as readonly Row[]) as R;
  const lists = Object.entries(rows as Readonly<Record<string, readonly Row[]>>);
  return Object.fromEntries(lists.map(([name, list]) => [name, change(list)])) as R;
}
