import type { JsonObject } from '../../src/judge/kernel/body.ts';
import { holds, unclear, type Judgement, differs } from '../../src/judge/kernel/judgement.ts';

/** The departure of a list item, under either of its names; null where it has none. */
export function listedDeparture(item: JsonObject): string | null {
  const value = item.departure_datetime ?? item.departure_date;
  return typeof value === 'string' ? value : null;
}

/**
 * Whether a listed departure shows the wall clock that was sent. Name, separator, seconds and suffix are open, so only
 * the digits of date, hour and minute count; a date alone shows less.
 */
export function showsClock(item: JsonObject, sent: string): Judgement {
  const listed = listedDeparture(item);
  const [wanted, shown] = [clockOf(sent), clockOf(listed ?? '')];
  if (!wanted || !shown) return unclear(`no date to compare: sent ${sent}, listed ${JSON.stringify(listed)}`);
  const isSame = shown.date === wanted.date && (shown.time === null || shown.time === wanted.time);
  // The text as it was sent is a timestamp too, whatever follows its minutes.
  const isTime = listed?.trim() === sent.trim() || timestamp.test(listed ?? '');
  if (isSame && isTime) return holds;
  const name = item.departure_datetime == null ? 'departure_date' : 'departure_datetime';
  return differs('wall-clock', name, `${wanted.date} ${wanted.time ?? ''}`.trim(), listed);
}

const timestamp = /^\s*\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?\s*(Z|[+-]\d\d(:?\d\d)?)?)?\s*$/i;

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
