import type { WindowLimit } from '../../../core/windowLimit.ts';
import { attribute, hourRows, minuteRows } from '../attribute.ts';
import { allows, distance, limitsOf } from '../bounds.ts';
import type { Decision } from '../decision.ts';
import { identify } from '../identify.ts';
import { rollingLog, standingBefore } from '../models/rollingLog.ts';
import { certainWindow } from '../tolerance.ts';
import { brokenIn, hourMs, minuteMs } from './excess.ts';
import type { Form } from './form.ts';

/** A request with its form, by the clock that the limits are known to follow. */
export interface Placed {
  readonly decision: Decision;
  readonly form: Form;
}

export interface Limits {
  readonly perMinute: number;
  readonly perHour: number;
}

const log = { countsRefused: false, racy: false };

/** Seconds that a limit of a minute announces at most; a server may count in whole ones. */
const longestOfMinute = 62;

/** Keys of an enterprise that are tried as sharing a budget. */
const mostPairs = 20;

/** Whether a request was refused although neither limit can have been reached, whichever requests count. */
export function hadRoom(one: Decision, own: readonly Decision[], limits: Limits): boolean {
  return windowsOf(limits).every(
    ({ limit, windowMs }) => standingBefore(one, own, { windowMs, countsRefused: true }) < limit,
  );
}

/** The row that a refusal with room breaks: that of what explains all that its key was answered, else that of its limit's number. */
export function roomRow(
  one: Decision,
  own: readonly Placed[],
  others: readonly Decision[],
  limits: Limits,
): string {
  const [minute, hour] = windowsOf(limits);
  const decisions = own.map(({ decision }) => decision);
  const doubled = doubledRow(own, minute);
  if (doubled !== null) return doubled;
  if (isOtherNumber(decisions, others, minute, 0)) return minuteRows.enough;
  const siblings = others.filter(({ enterprise, key }) => enterprise === one.enterprise && key !== one.key);
  const pairs = [...Map.groupBy(siblings, ({ key }) => key).values()].slice(0, mostPairs);
  if ([siblings, ...pairs].some((some) => isShared(decisions, some, [minute, hour]))) return 'SHR-LIM-011';
  if (isOtherNumber(decisions, others, hour, minute.limit)) return hourRows.enough;
  const lately = others.filter(
    ({ key, sent }) => key !== one.key && Math.abs(sent - one.sent) < 2 * minuteMs,
  );
  if (isShared(decisions, lately, [minute])) return 'SHR-LIM-012';
  // No way of counting a minute makes a key wait for longer.
  if ((one.retryAfter ?? 0) > longestOfMinute) return hourRows.enough;
  const said = attribute(
    { decisions, identification: identify(decisions, minute), window: minute },
    minuteRows,
  );
  const broken = brokenIn(said);
  // A race admits more, and refuses nobody who has room.
  return broken === null || broken === minuteRows.models.racy ? minuteRows.enough : broken;
}

function windowsOf({ perMinute, perHour }: Limits): readonly [minute: WindowLimit, hour: WindowLimit] {
  return [
    { limit: perMinute, windowMs: minuteMs },
    { limit: perHour, windowMs: hourMs },
  ];
}

/** Whether requests that take several places explain all of it. */
function doubledRow(own: readonly Placed[], window: WindowLimit): string | null {
  const kinds = [
    { row: 'SHR-LIM-015', places: ({ form }: Placed) => form.legs },
    { row: 'SHR-LIM-016', places: ({ decision }: Placed) => (decision.route === 'fla.subscribe' ? 2 : 1) },
  ];
  const found = kinds.find(({ places }) => {
    const most = Math.max(...own.map(places));
    const counted = own.flatMap((one) => Array.from({ length: places(one) }, () => one.decision));
    return most > 1 && distance(rollingLog(counted, window.windowMs, log), window.limit) < most;
  });
  return found?.row ?? null;
}

/** Whether a log of a smaller number explains all of it, above a least one; the number is the same for all keys. */
function isOtherNumber(
  own: readonly Decision[],
  others: readonly Decision[],
  window: WindowLimit,
  above: number,
): boolean {
  const bounds = rollingLog(own, window.windowMs, log);
  const [, most] = limitsOf(bounds) ?? [0, 0];
  return most > above && most < window.limit && mostAdmitted(others, window) <= most;
}

/** Whether one budget together with others explains what a key was answered. */
function isShared(
  own: readonly Decision[],
  others: readonly Decision[],
  windows: readonly WindowLimit[],
): boolean {
  const isTogether = ({ limit, windowMs }: WindowLimit) =>
    allows(rollingLog([...own, ...others], windowMs, log), limit);
  return others.length > 0 && windows.some(isTogether);
}

/** The most requests of any one key that were certainly admitted within one window. */
function mostAdmitted(decisions: readonly Decision[], { windowMs }: WindowLimit): number {
  const within = certainWindow(windowMs);
  const byKey = Map.groupBy(
    decisions.filter(({ ruling }) => ruling === 'admitted'),
    ({ key }) => key,
  );
  const counts = [...byKey.values()].map((some) =>
    Math.max(
      ...some.map(
        ({ sent }) => some.filter((one) => one.sent >= sent && one.received < sent + within).length,
      ),
    ),
  );
  return Math.max(0, ...counts);
}
