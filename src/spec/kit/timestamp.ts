const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Epoch milliseconds of a lifecycle timestamp, `YYYY-MM-DDTHH:mm:ss.sssZ` of a real instant; null for anything else. */
export function parseTimestamp(value: unknown): number | null {
  if (typeof value !== 'string' || value.length !== 24) return null;
  const known = latest.get(value);
  if (known !== undefined) return known;
  const instant = instantOf(value);
  if (latest.size >= mostLatest) latest.clear();
  latest.set(value, instant);
  return instant;
}

/** Any fraction and any offset: the instant is plain, though the form is another one than the documents give. */
const plain = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Epoch milliseconds of a timestamp whose instant is plain, for rules about time: a wrong form breaks the rule of the form alone. */
export function readInstant(value: unknown): number | null {
  const strict = parseTimestamp(value);
  if (strict !== null || typeof value !== 'string' || !plain.test(value)) return strict;
  const instant = Date.parse(value);
  return dayAt(value) === null || Number.isNaN(instant) ? null : instant;
}

/** Several oracles look at each timestamp, and a record has the same ones in every answer that shows it. */
const latest = new Map<string, number | null>();
const mostLatest = 2000;

function instantOf(text: string): number | null {
  const day = form.test(text) ? dayAt(text) : null;
  const hour = digitsAt(text, 11, 13);
  const minute = digitsAt(text, 14, 16);
  const second = digitsAt(text, 17, 19);
  if (day === null || hour > 23 || minute > 59 || second > 59) return null;
  return day + ((hour * 60 + minute) * 60 + second) * 1000 + digitsAt(text, 20, 23);
}

/** Epoch milliseconds of the beginning in UTC of the day that a text begins with, `YYYY-MM-DD`; null where there is no such day. */
export function dayAt(text: string): number | null {
  const year = digitsAt(text, 0, 4);
  const month = digitsAt(text, 5, 7);
  const day = digitsAt(text, 8, 10);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  // `Date.UTC` takes a year below 100 for one of the last century.
  return year < 100 ? Date.parse(`${text.slice(0, 10)}T00:00:00Z`) : Date.UTC(year, month - 1, day);
}

/** Reads digits without making a text of them: every record has several timestamps, in every answer that shows it. */
function digitsAt(text: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index += 1) value = value * 10 + text.charCodeAt(index) - 48;
  return value;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeap ? 29 : 28;
}
