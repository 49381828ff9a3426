import { holds, unclear, type Judgement, differs } from '../kernel/judgement.ts';
import { allows } from './bounds.ts';
import type { Decision } from './decision.ts';
import { identify, type Identification, type ModelResult } from './identify.ts';
import { standingBefore } from './models/rollingLog.ts';
import { models, type ModelId } from './models.ts';
import { budgetsByScope, type LimiterScope } from './scope.ts';
import type { WiderId } from './wider/wider.ts';
import * as is from '../../spec/kernel/value.ts';
import type { WindowLimit } from '../../core/windowLimit.ts';

/** The rows of the catalogue about one of the two limits, for each way to break it. */
export interface LimitRows {
  /** The documented number of requests passes. */
  readonly enough: string;
  /** One more does not. */
  readonly notMore: string;
  /** A place becomes free once its request has left the window. */
  readonly freed: string;
  /** The row that each other model breaks. */
  readonly models: Readonly<Partial<Record<ModelId, string>>>;
  /** The row that other limiters break if they admit too much. */
  readonly excess: Readonly<Partial<Record<WiderId, string>>>;
}

export const minuteRows: LimitRows = {
  enough: 'SHR-LIM-001',
  notMore: 'SHR-LIM-002',
  freed: 'SHR-LIM-006',
  models: {
    'first-request-window': 'SHR-LIM-003',
    'sliding-counter': 'SHR-LIM-003',
    'epoch-window': 'SHR-LIM-004',
    'token-bucket': 'SHR-LIM-005',
    'per-enterprise': 'SHR-LIM-011',
    'per-address': 'SHR-LIM-012',
    'per-route': 'SHR-LIM-013',
    'per-api': 'SHR-LIM-014',
    'per-connection': 'SHR-LIM-024',
    racy: 'SHR-LIM-025',
  },
  excess: { 'burst-bucket': 'SHR-LIM-005', 'late-log': 'SHR-LIM-025', 'shorter-log': 'SHR-LIM-005' },
};

export const hourRows: LimitRows = {
  enough: 'SHR-LIM-007',
  notMore: 'SHR-LIM-008',
  freed: 'SHR-LIM-009',
  models: {
    'first-request-window': 'SHR-LIM-009',
    'sliding-counter': 'SHR-LIM-009',
    'epoch-window': 'SHR-LIM-009',
    'token-bucket': 'SHR-LIM-008',
    racy: 'SHR-LIM-008',
  },
  excess: { 'shorter-log': 'SHR-LIM-009' },
};

/** A timeline, and the limiter that it shows. */
export interface Seen {
  readonly decisions: readonly Decision[];
  readonly identification: Identification;
  readonly window: WindowLimit;
}

/**
 * What a timeline says about each row. If the documented limiter cannot explain it, that is certain, and the model that does
 * explain it tells which row is broken. If it can, a row holds as far as the timeline would have shown a violation.
 */
export function attribute(seen: Seen, rows: LimitRows): Readonly<Record<string, Judgement>> {
  if (seen.identification.isDocumented) return ofDocumented(seen, rows);
  const broken = brokenRow(seen, rows);
  return { ...certainOf(seen, rows, broken), [broken]: violation(seen) };
}

function ofDocumented(seen: Seen, rows: LimitRows): Readonly<Record<string, Judgement>> {
  const judged: Record<string, Judgement> = {
    [rows.enough]: admitsAll(seen),
    [rows.notMore]: refusesMore(seen),
    [rows.freed]: freesPlaces(seen),
  };
  for (const { id, title, fits, bounds } of seen.identification.models) {
    const row = rows.models[id];
    if (row === undefined || fits === null || judged[row]?.status === 'unclear') continue;
    // With another limit it may fit by coincidence: it has to be ruled out with the documented limit.
    const isRuledOut = !allows(bounds, seen.window.limit) || isSameHere(id, seen);
    judged[row] = isRuledOut ? (judged[row] ?? holds) : unclear(`the timeline also fits a ${title}`);
  }
  return judged;
}

/** A limiter with a race explains whatever the documented limiter explains, by not racing. */
function isSameHere(id: ModelId, { decisions }: Seen): boolean {
  return id === 'racy' && decisions.some(({ ruling }) => ruling === 'refused');
}

/** What another limiter keeps all the same. A row of which that is not certain is left out. */
function certainOf(seen: Seen, rows: LimitRows, broken: string): Readonly<Record<string, Judgement>> {
  const model = models.find(({ id }) => id === seen.identification.model);
  if (!model) return {};
  const judged = model.scope === 'key' ? ofKeys(seen, rows) : ofWider(seen, rows, model.scope);
  return Object.fromEntries(
    Object.entries(judged).filter(([row, { status }]) => row !== broken && status === 'holds'),
  );
}

/** The rows of a limiter that counts by key, whatever it counts. */
function ofKeys(seen: Seen, rows: LimitRows): Readonly<Record<string, Judgement>> {
  const { identification, window } = seen;
  const { least, most } = documentedResult(identification).bounds;
  // Too many in a window may break any of these rows.
  const doubtful = new Set(least > window.limit ? [rows.notMore, ...Object.values(rows.excess)] : []);
  const held = identification.models.flatMap(({ id, fits, bounds }) => {
    const row = rows.models[id];
    if (row === undefined || fits === null || doubtful.has(row)) return [];
    const isOfKeys = models.some((one) => one.id === id && one.scope === 'key');
    return isOfKeys && allows(bounds, window.limit) ? [] : [row];
  });
  const counts = doubtful.has(rows.notMore) ? {} : { [rows.notMore]: refusesMore(seen) };
  const room = most < window.limit ? {} : { [rows.enough]: admitsAll(seen), [rows.freed]: freesPlaces(seen) };
  return { ...Object.fromEntries(held.map((row) => [row, holds])), ...counts, ...room };
}

/** The rows of a limiter that is the documented one except that it counts the requests of more than a key. */
function ofWider(seen: Seen, rows: LimitRows, scope: LimiterScope): Readonly<Record<string, Judgement>> {
  if (scope !== 'enterprise' && scope !== 'address') return {};
  const decisions = seen.decisions.map((one) => ({ ...one, key: one[scope] }));
  const identification = identify(decisions, seen.window);
  return identification.isDocumented ? ofDocumented({ ...seen, decisions, identification }, rows) : {};
}

function brokenRow({ identification, decisions, window }: Seen, rows: LimitRows): string {
  const { model } = identification;
  const named: Readonly<Partial<Record<string, string>>> = rows.models;
  const row = named[model ?? ''];
  if (row !== undefined) return row;
  const { bounds } = documentedResult(identification);
  const excess: Readonly<Partial<Record<string, string>>> = rows.excess;
  if (bounds.least > window.limit) return excess[model ?? ''] ?? rows.notMore;
  if (model === 'longer-log') return rows.freed;
  if (model !== null) return rows.enough;
  return isFilledAtFirst(decisions, window) ? rows.freed : rows.enough;
}

/** Whether a request was wrongly refused only after others had left the window; then the number that fits is not the problem. */
function isFilledAtFirst(decisions: readonly Decision[], { limit, windowMs }: WindowLimit): boolean {
  const first = budgetsByScope(decisions, 'key')
    .flatMap((budget) =>
      budget.filter(
        (one) =>
          one.ruling === 'refused' && standingBefore(one, budget, { windowMs, countsRefused: false }) < limit,
      ),
    )
    .sort((a, b) => a.sent - b.sent)[0];
  return first !== undefined && decisions.some(({ received }) => received < first.sent - windowMs);
}

/** What the timeline says about the documented limiter. */
export function documentedResult({ models }: Identification): ModelResult {
  const result = models.find(({ id }) => id === 'rolling-log');
  if (!result) throw new Error('unreachable: the documented model is always compared');
  return result;
}

/** What contradicts the documented limiter, and what explains it. */
export function violation({ identification, window }: Seen): Judgement {
  const { name, model } = identification;
  const { contradictions, bounds } = documentedResult(identification);
  const words = `${contradictions.join('; ')}; the decisions fit: ${name}`;
  const ids = bounds.least > window.limit ? bounds.leastBy() : bounds.mostBy();
  return differs(
    'limiter',
    'answer',
    is.text(`a rolling log of ${window.limit} requests a key in ${window.windowMs / 1000} s`),
    is.counted(words, ids, model),
    ids.map((id) => ({ id })),
  );
}

function admitsAll({ identification, window }: Seen): Judgement {
  return documentedResult(identification).bounds.least >= window.limit
    ? holds
    : unclear('it is not certain that so many requests were admitted in one window');
}

function refusesMore({ decisions }: Seen): Judgement {
  return decisions.some(({ ruling }) => ruling === 'refused')
    ? holds
    : unclear('nothing was refused, and nothing is certain to have been beyond the limit');
}

function freesPlaces({ decisions, window }: Seen): Judgement {
  const isLate = (one: Decision) =>
    decisions.some(({ received, key }) => key === one.key && received < one.sent - window.windowMs);
  return decisions.some((one) => one.ruling === 'admitted' && isLate(one))
    ? holds
    : unclear('nothing was sent after requests had left the window');
}
