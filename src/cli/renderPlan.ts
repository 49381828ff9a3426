import type { Settings } from '../core/settings.ts';
import { twoForms } from '../plan/check.ts';
import { takesMs, usualPace, usualWidth, workOf } from '../plan/forecast.ts';
import type { Plan, PlannedCheck, SkippedCheck } from '../plan/plan.ts';
import { type Palette, plainPalette } from '../core/palette.ts';
import { formatDuration, plural } from '../report/text/format.ts';
import { renderTable, type Column } from './table.ts';

interface PlanLook {
  readonly palette?: Palette;
  /** Whether to name the requirements of each check as well. */
  readonly isVerbose?: boolean;
}

/** What a run would do, for people: the totals, a line per check, and what is left out with what would enable it. */
export function renderPlan(
  plan: Plan,
  settings: Settings,
  { palette = plainPalette, isVerbose = false }: PlanLook = {},
): string {
  const shown = isVerbose ? [...columns, verifiesColumn] : columns;
  const checks = plan.checks.length === 0 ? 'Nothing is left to check.\n' : renderTable(shown, plan.checks);
  return [
    palette.bold(headLine(settings)),
    sumLines(plan, settings),
    '',
    checks,
    ...skippedBlock(plan, palette),
  ].join('\n');
}

/** Only the totals. */
export function renderPlanSums(plan: Plan, settings: Settings): string {
  const left = plan.skipped.length === 0 ? '' : `; left out: ${plural(plan.skipped.length, 'check')}`;
  return `${sumLines(plan, settings).replaceAll(/^ +/gm, '')}${left}\n`;
}

/** The same as data, for scripts. */
export function renderPlanJson(plan: Plan, settings: Settings): string {
  const data = {
    target: shownTarget(settings.target),
    profile: settings.profile,
    seed: settings.seed,
    total: plan.total,
    expectedMs: plan.expectedMs,
    budgets: finite(plan.budgets),
    fixtures: plan.fixtures,
    checks: plan.checks.map(({ check, cases, cost }) => ({
      ...named(check),
      verifies: check.verifies,
      cases,
      rows: rowsSent({ check, cases }),
      cost,
    })),
    carriers: plan.carriers.map(({ check, cost }) => ({ ...named(check), cost })),
    skipped: plan.skipped.map(({ check, cause, reason, hint }) => ({ ...named(check), cause, reason, hint })),
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}

const columns: readonly Column<PlannedCheck>[] = [
  { title: 'check', cell: ({ check }) => check.id },
  { title: 'sends', cell: extentOf },
  { title: 'requests', cell: ({ cost }) => String(cost.requests), right: true },
  { title: 'quota', cell: ({ cost }) => (cost.quota === 0 ? '' : String(cost.quota)), right: true },
  { title: 'what it checks', cell: ({ check }) => check.title },
];

const verifiesColumn: Column<PlannedCheck> = {
  title: 'verifies',
  cell: ({ check }) => check.verifies.join(' '),
};

/** How much a check sends of what it could: generated cases, and a sample of its rows or all of them. */
function extentOf({ check, cases }: PlannedCheck): string {
  if (cases === 0) return '';
  const rows = rowsSent({ check, cases });
  const generated = check.cases.maxCases > twoForms.maxCases ? [plural(cases, 'case')] : [];
  if (rows === null && generated.length === 0) return cases === 1 ? 'sparing form' : 'whole form';
  const ofRows =
    rows === null ? [] : [`${rows.sent === rows.of ? 'all' : `${rows.sent} of`} ${rows.of} rows`];
  return [...generated, ...ofRows].join(', ');
}

function rowsSent({ check: { rows }, cases }: Pick<PlannedCheck, 'check' | 'cases'>) {
  return rows === null ? null : { sent: cases === 1 ? rows.sample : rows.all, of: rows.all };
}

function headLine({ target, profile, seed }: Settings): string {
  return `Plan against ${targetName(target)}, profile ${profile}, seed ${seed}`;
}

/** Without the environment of a container, which may contain secrets. */
function shownTarget(target: Settings['target']) {
  return target.kind === 'image' ? { kind: target.kind, reference: target.reference } : target;
}

function targetName(target: Settings['target']): string {
  switch (target.kind) {
    case 'embedded':
      return 'the embedded reference';
    case 'image':
      return `the image ${target.reference}`;
    case 'url':
      return [...new Set(Object.values(target.baseUrls))].join(' and ');
  }
}

function sumLines(plan: Plan, settings: Settings): string {
  const { checks, carriers, total, budgets } = plan;
  const traffic =
    carriers.length === 0 ? '' : `; ${carriers.length} more run for the traffic that these judge`;
  return [
    `  ${plural(checks.length, 'check')}, nothing sent yet${traffic}`,
    `  ${plural(total.requests, 'request')} of at most ${budgets.maxRequests}, ` +
      `${plural(total.quota, 'quota unit')} of at most ${budgets.maxQuota}, ` +
      `${plural(total.subscriptions, 'subscription')} of at most ${budgets.maxSubscriptions}`,
    ...(plan.further.length === 0
      ? []
      : ['  if nothing fails, the rest of the requests goes to further checks that need not wait']),
    `  ${renderForecast(plan, settings)}`,
  ].join('\n');
}

/** As precise as a forecast can be: in whole seconds, and in steps of five from a minute on. */
function rounded(ms: number): number {
  return ms < 60_000 ? Math.ceil(ms / 1_000) * 1_000 : Math.round(ms / 5_000) * 5_000;
}

/** How long it will take. */
export function renderForecast(plan: Plan, settings: Settings): string {
  const { expectedMs } = plan;
  const pace = usualPace(settings, usualWidth(plan.keys));
  const ms = takesMs(workOf(plan), pace, expectedMs);
  const about = `about ${formatDuration(rounded(ms)).replace('.0 s', ' s')}`;
  return expectedMs === 0
    ? `${about}, without waiting for the rate limits`
    : `${about}, of which the rate limits take ${formatDuration(expectedMs)}`;
}

function skippedBlock({ skipped }: Plan, palette: Palette): readonly string[] {
  if (skipped.length === 0) return [];
  const groups = Map.groupBy(skipped, ({ reason, hint }) => `${reason}${hint === null ? '' : `. ${hint}`}`);
  const lines = [...groups].map(
    ([reason, checks]) => `  ${checks.length} × ${reason}\n    ${idsOf(checks, palette)}`,
  );
  return [palette.bold(`Left out: ${plural(skipped.length, 'check')}`), ...lines, ''];
}

const shown = 4;

function idsOf(skipped: readonly SkippedCheck[], palette: Palette): string {
  const ids = skipped.slice(0, shown).map(({ check }) => check.id);
  const rest = skipped.length > shown ? ` and ${skipped.length - shown} more` : '';
  return palette.dim(`${ids.join(', ')}${rest}`);
}

function named({ id, title, api, kind }: PlannedCheck['check']) {
  return { id, title, api, kind };
}

/** JSON has no infinity: a budget that was not set is null. */
function finite(budgets: Plan['budgets']) {
  return Object.fromEntries(
    Object.entries(budgets).map(([name, value]: [string, number]) => [
      name,
      Number.isFinite(value) ? value : null,
    ]),
  );
}
