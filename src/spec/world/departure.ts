import { keptFor, keptTexts } from '../../core/latest.ts';
import type { JsonObject } from '../../trace/body.ts';
import { textOf } from '../grammar/form.ts';
import { instantsOf } from '../kit/localTime.ts';
import { knownAirports } from '../kit/places.ts';

const zones = new Map(knownAirports.map(({ code, zone }) => [code, zone]));

/** The zone of an airport; null where it is not known. */
export function zoneOf(code: unknown): string | null {
  return (typeof code === 'string' ? zones.get(code) : undefined) ?? null;
}

/** The instant of a departure in epoch milliseconds; null where its clock or its airport cannot be read. */
export function departureOf(flight: JsonObject | undefined): number | null {
  return instantsAt(flight?.departure_datetime, zoneOf(flight?.origin))[0] ?? null;
}

/** The instants that a clock shows in a zone: none in an hour that is skipped, two in one that is repeated. */
export function instantsAt(clock: unknown, zone: string | null): readonly number[] {
  const utc = zone === null ? null : utcOf(clock);
  return zone === null || utc === null ? [] : instantsIn(zone)(utc);
}

/** A journey is read by many rules, and comes with many requests. */
const instantsIn = keptFor((zone: string) => keptFor((utc: number) => instantsOfClock(utc, zone), 256), 512);

function instantsOfClock(utc: number, zone: string): readonly number[] {
  const at = new Date(utc);
  const day = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
  const time = { hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds() };
  return instantsOf({ ...day, ...time }, zone);
}

/** The digits of date, hour and minute of a clock, or of its date alone; null where it cannot be read. */
export function clockOf(clock: unknown): string | null {
  const [, date, time] = /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/.exec(textOf(clock)) ?? [];
  return date === undefined ? null : date + (time === undefined ? '' : ` ${time}`);
}

/** The instant at which UTC shows a clock, whatever its suffix says; null where it cannot be read. */
export function utcOf(clock: unknown): number | null {
  const utc = utcIn(textOf(clock));
  return Number.isNaN(utc) ? null : utc;
}

const utcIn = keptTexts((clock) => {
  const read = /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?/.exec(clock);
  return read ? Date.parse(`${read[1] ?? ''}T${read[2] ?? ''}${read[3] ?? ':00'}Z`) : Number.NaN;
});

/** By how many milliseconds the suffix of a clock is ahead of UTC; null where it has none. */
export function suffixOf(clock: unknown): number | null {
  const [, suffix = null, sign, hours, minutes] =
    /:\d\d(?:\.\d+)?\s*(Z|([+-])(\d\d):?(\d\d))\s*$/.exec(textOf(clock)) ?? [];
  if (suffix === null) return null;
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -size : size;
}
