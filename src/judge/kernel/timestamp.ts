const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Epoch milliseconds of a lifecycle timestamp, `YYYY-MM-DDTHH:mm:ss.sssZ` of a real instant; null for anything else. */
export function parseTimestamp(value: unknown): number | null {
  if (typeof value !== 'string' || !form.test(value)) return null;
  const at = (start: number, end: number) => digitsAt(value, start, end);
  const [year, month, day] = [at(0, 4), at(5, 7), at(8, 10)];
  const [hour, minute, second] = [at(11, 13), at(14, 16), at(17, 19)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second, at(20, 23));
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
