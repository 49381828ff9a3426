import type { JsonObject } from '../../trace/body.ts';
import { textOf } from '../grammar/form.ts';
import { instantsOf } from '../kit/localTime.ts';
import { airports } from '../kit/places.ts';

const zones = new Map(airports.map(({ code, zone }) => [code, zone]));

/** The instant of a departure in epoch milliseconds; null where its clock or its airport cannot be read. */
export function departureOf(flight: JsonObject | undefined): number | null {
  const { origin, departure_datetime: clock } = flight ?? {};
  const zone = typeof origin === 'string' ? zones.get(origin) : undefined;
  const read = /^\s*(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?/.exec(textOf(clock));
  if (zone === undefined || !read) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = read.slice(1).map(Number);
  const time = { year, month, day, hour, minute, second: Number.isNaN(second) ? 0 : second };
  return instantsOf(time, zone)[0] ?? null;
}
