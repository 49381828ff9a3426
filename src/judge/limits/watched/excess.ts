import type { WindowLimit } from '../../../core/windowLimit.ts';
import type { Judgement, Violated } from '../../kernel/judgement.ts';
import { attribute, hourRows, minuteRows } from '../attribute.ts';
import type { Decision } from '../decision.ts';
import { identify } from '../identify.ts';
import { ofTheHour } from '../ofTheHour.ts';
import { refusedWith } from '../refusedOtherwise.ts';
import { certainWindow } from '../tolerance.ts';
import type { Timed } from './keyTimes.ts';
import { allows, combined, unbounded } from '../bounds.ts';
import { rollingLog } from '../models/rollingLog.ts';

export const minuteMs = 60_000;
export const hourMs = 3_600_000;

/**
 * How many requests of a key, the last of which was answered last, were certainly admitted within one window; 0 where that is
 * not more than the limit. `admitted` are in the order of their answers.
 */
export function excessOf(admitted: readonly Decision[], { limit, windowMs }: WindowLimit): number {
  const last = admitted.at(-1);
  const first = admitted.at(-1 - limit);
  if (!last || !first) return 0;
  const from = last.received - certainWindow(windowMs);
  if (first.received <= from) return 0;
  let count = 0;
  for (let index = admitted.length - 1; index >= 0; index -= 1) {
    const one = admitted[index];
    if (!one || one.received <= from) break;
    if (one.sent > from) count += 1;
  }
  return count > limit ? count : 0;
}

/** Whether a key that is answered now has certainly used up its limit. */
export function isFull(
  admitted: readonly Decision[],
  at: Decision,
  { limit, windowMs }: WindowLimit,
): boolean {
  const first = admitted.at(-limit);
  return first !== undefined && first.sent > at.received - certainWindow(windowMs);
}

/** A failure now and then is no refusal. */
const fewestRefused = 3;

/** The fault of a limiter of the minute that refuses with another status than 429; null if it does not. */
export function otherStatus(timeline: readonly Timed[], window: WindowLimit): Violated | null {
  const decisions = timeline.map(({ decision }) => decision);
  if (decisions.filter(({ ruling }) => ruling === 'unknown').length < fewestRefused) return null;
  return refusedWith(
    decisions,
    new Map(timeline.map(({ decision, status }) => [decision.id, status])),
    window,
  );
}

/**
 * The row that too many admitted requests of some keys break: that of the limiter that explains them, else that of the number.
 * All keys have the same limiter, so that what other keys show helps.
 */
export function excessRow(budgets: readonly (readonly Timed[])[], window: WindowLimit): string {
  const isHour = window.windowMs === hourMs;
  const rows = isHour ? hourRows : minuteRows;
  const spared = sparedRow(budgets, window);
  if (spared !== null) return isHour ? rows.notMore : spared;
  const all = budgets.map((budget) => budget.map(({ decision }) => decision));
  const decisions = isHour ? all.flatMap(ofTheHour) : all.flat();
  const identification = identify(decisions, window);
  return brokenIn(attribute({ decisions, identification, window }, rows)) ?? rows.notMore;
}

/** The row that was found broken; null if none was. */
export function brokenIn(said: Readonly<Record<string, Judgement>>): string | null {
  return Object.entries(said).find(([, { status }]) => status === 'violated')?.[0] ?? null;
}

/** Requests of one form that a limiter may leave out, with the row that says that it must not. */
interface Kind {
  readonly row: string;
  readonly has: (one: Timed) => boolean;
}

const ofRoute = (route: string, row: string): Kind => ({
  row,
  has: ({ decision }) => decision.route === route,
});

/** By rank: the smaller ones come first. */
const kinds: readonly Kind[] = [
  { row: 'SHR-LIM-013', has: ({ form }) => form.isAlias },
  { row: 'SHR-LIM-013', has: ({ form }) => form.isUpload },
  ofRoute('wci.subscribe', 'SHR-LIM-017'),
  ofRoute('fla.subscribe', 'SHR-LIM-016'),
  ofRoute('fla.lookup', 'SHR-LIM-014'),
  ...['wci.update', 'wci.status', 'wci.list'].map((route) => ofRoute(route, 'SHR-LIM-013')),
  { row: 'SHR-LIM-014', has: ({ decision }) => decision.api === 'flight-alerts' },
];

const log = { countsRefused: false, racy: false };
const everywhere = 'SHR-LIM-029';
/** One left out may be one that was counted late. */
const fewest = 2;

/** What some keys sent, a list for each in the order of the answers. */
type Budgets = readonly (readonly Timed[])[];

/**
 * The row that is broken where one form of request passes a limit that is used up, or is not counted, and the documented limiter
 * explains all the rest; null where that explains nothing.
 */
function sparedRow(budgets: Budgets, window: WindowLimit): string | null {
  const passing = [...kinds.map((kind) => ({ ...kind, row: everywhere })), ...disguises(budgets)];
  const found = passing.find((kind) => passesWhenFull(budgets, kind, window));
  if (found) return found.row;
  const uncounted = kinds.find(({ has }) => {
    const isTried = budgets.some((all) => all.filter(has).length >= fewest && !all.every(has));
    return (
      isTried &&
      areKept(
        budgets.map((all) => all.filter((one) => !has(one)).map(decided)),
        window,
      )
    );
  });
  return uncounted?.row ?? null;
}

/** Requests of a refused key that say something else of their caller, or came over another connection. */
function disguises(budgets: Budgets): readonly Kind[] {
  const refused = budgets.flat().find(({ decision, form }) => decision.ruling === 'refused' && form.caller);
  const { form, decision } = refused ?? {};
  const usual = form?.caller;
  if (!usual) return [];
  const sayElse = (['agent', 'address'] as const).map((part): Kind => ({
    row: everywhere,
    has: ({ form: { caller } }) => caller !== null && caller[part] !== usual[part],
  }));
  const elsewhere: Kind = {
    row: 'SHR-LIM-024',
    has: ({ decision: { connection } }) => connection !== null && connection !== decision?.connection,
  };
  return [...sayElse, elsewhere];
}

function passesWhenFull(budgets: Budgets, { has }: Kind, window: WindowLimit): boolean {
  if (budgets.flat().some((one) => has(one) && one.decision.ruling === 'refused')) return false;
  const isSeen = budgets.some((all) =>
    all.some((one, index) => has(one) && passed(one.decision, all.slice(0, index).map(decided), window)),
  );
  // They may count although nothing stops them.
  const read = (one: Timed): Decision => (has(one) ? { ...one.decision, ruling: 'unknown' } : one.decision);
  return (
    isSeen &&
    areKept(
      budgets.map((all) => all.map(read)),
      window,
    )
  );
}

/** Whether a request was let in after another one was refused, while the limit was certainly used up. */
function passed(one: Decision, earlier: readonly Decision[], { limit, windowMs }: WindowLimit): boolean {
  if (one.ruling !== 'admitted') return false;
  const before = earlier.filter(({ received }) => received <= one.sent + 1);
  const standing = before.filter(
    ({ ruling, sent }) => ruling === 'admitted' && sent > one.received - certainWindow(windowMs),
  );
  return standing.length >= limit && before.some(({ ruling }) => ruling === 'refused');
}

/** Whether these alone show the documented limiter, which refused one of them. */
function areKept(rest: readonly (readonly Decision[])[], { limit, windowMs }: WindowLimit): boolean {
  const isRefused = rest.some((all) => all.some(({ ruling }) => ruling === 'refused'));
  return (
    isRefused && allows(rest.map((all) => rollingLog(all, windowMs, log)).reduce(combined, unbounded), limit)
  );
}

function decided({ decision }: Timed): Decision {
  return decision;
}
