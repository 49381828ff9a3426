import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  generate,
  hourMs,
  instantsOf,
  localDateTime,
  minuteMs,
  parseTimestamp,
} from '../checks.ts';

/** How a deployment writes what the documents leave open about a list item. */
export function observeItem(
  t: CheckContext,
  seen: {
    readonly x: Exchange;
    /** A complete record, far ahead of its departure. */
    readonly item: AnswerObject;
    /** The first departure as it was sent. */
    readonly departure: unknown;
    /** An incomplete record, if one is on the same page. */
    readonly incomplete: AnswerObject | null;
  },
): void {
  const { x, item, departure, incomplete } = seen;
  const { departure_datetime: datetime, departure_date: date } = item;
  const names = [
    datetime === undefined ? null : 'departure-datetime',
    date === undefined ? null : 'departure-date',
  ];
  const named = names.filter((name) => name !== null);
  if (named.length > 0) t.observe('WCI-OPN-010', named.length > 1 ? 'both' : (named[0] ?? ''), x);
  const form = formOf(datetime ?? date, departure);
  if (form !== null) t.observe('WCI-OPN-028', form, x);
  observeWindow(t, x, item, departure);
  const time = item.scheduled_time;
  if (time === null) t.observe('WCI-OPN-043', 'null-until-window', x);
  else if (time !== undefined && incomplete?.scheduled_time === null)
    t.observe('WCI-OPN-043', 'set-when-complete', x);
  else if (time !== undefined && incomplete) t.observe('WCI-OPN-043', 'never', x);
}

const margin = 15 * minuteMs;

/** How long before the departure automation is scheduled, which is when the check-in window opens. */
function observeWindow(t: CheckContext, x: Exchange, item: AnswerObject, departure: unknown): void {
  const scheduled = parseTimestamp(item.scheduled_time);
  const clock = typeof departure === 'string' ? Date.parse(`${departure}Z`) : Number.NaN;
  const airport = generate.airports.find(({ code }) => code === item.origin);
  if (scheduled === null || Number.isNaN(clock) || !airport) return;
  const [instant] = instantsOf(localDateTime(clock, 'UTC'), airport.zone);
  const ahead = (instant ?? clock) - scheduled;
  const isAbout = (hours: number) => Math.abs(ahead - hours * hourMs) <= margin;
  t.observe('WCI-OPN-055', isAbout(24) ? 'hours-24' : isAbout(48) ? 'hours-48' : 'other', x);
}

/** The form of a listed departure, of which `YYYY-MM-DDTHH:mm:ss` was sent. */
function formOf(listed: unknown, sent: unknown): string | null {
  if (typeof listed !== 'string' || typeof sent !== 'string') return null;
  // The form that was sent is the preferred one, so a server that normalizes may show the same.
  if (listed === sent) return null;
  if (/^\d{4}-\d\d-\d\d$/.test(listed)) return 'date-only';
  if (listed.endsWith('Z')) return 'with-z';
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(listed) ? 'normalized-clock' : null;
}
