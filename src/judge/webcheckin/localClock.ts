/** What is certainly wrong with a text that should be a flight's clock; null if nothing is, or if readers may differ. */
export type ClockFault = 'shape' | 'fraction' | 'date-only' | 'one-digit' | 'calendar' | 'time';

/** Surrounding white space, suffixes and the letter case of `T` are left to other checks: readers differ there. */
export function clockFault(text: string): ClockFault | null {
  const [, date, rest = ''] = /^\s*(\d{4}-\d{1,2}-\d{1,2})(.*)$/s.exec(text) ?? [];
  if (date === undefined) return 'shape';
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return 'one-digit';
  if (!isRealDate(date)) return 'calendar';
  return rest.trim() === '' ? 'date-only' : timeFault(rest);
}

/** Whether a text `YYYY-MM-DD` is a day of the calendar. */
function isRealDate(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

function timeFault(rest: string): ClockFault | null {
  const [, hour, minute, second, fraction] = /^[Tt ](\d+):(\d+)(?::(\d+))?(?:\.(\d*))?/.exec(rest) ?? [];
  if (hour === undefined || minute === undefined) return 'shape';
  if (hour.length !== 2 || minute.length !== 2) return 'one-digit';
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second ?? 0) > 60) return 'time';
  return fraction !== undefined && (fraction.length === 0 || fraction.length > 3) ? 'fraction' : null;
}
