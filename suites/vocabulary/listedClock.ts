import type { JsonObject } from '../../src/judge/kernel/body.ts';

/** The departure of a list item, under either of its names; null where it has none. */
function listedDeparture(item: JsonObject): string | null {
  const value = item.departure_datetime ?? item.departure_date;
  return typeof value === 'string' ? value : null;
}

/** How a departure is listed: a variant of the open point on its form. */
export function listedForm(item: JsonObject, sent: string): string | null {
  const listed = listedDeparture(item);
  const clock = clockOf(listed ?? '');
  if (listed === null || !clock) return null;
  if (listed === sent) return 'as-sent';
  if (clock.time === null) return 'date-only';
  return listed.endsWith('Z') ? 'with-z' : 'normalized-clock';
}

function clockOf(text: string): { readonly date: string; readonly time: string | null } | null {
  const match = /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/.exec(text);
  return match?.[1] === undefined ? null : { date: match[1], time: match[2] ?? null };
}
