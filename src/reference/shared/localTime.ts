/** A clock reading without a zone, as an airport's wall shows it. */
export interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

/** The instant (epoch ms) at which clocks in `zone` show this reading; in a repeated hour the first one. */
export function instantInZone(wall: WallClock, zone: string): number {
  const asUtc = wallAsUtc(wall);
  const before = asUtc - offsetAt(zone, asUtc - DAY);
  const after = asUtc - offsetAt(zone, asUtc + DAY);
  const candidates = [before, after].filter((instant) => instant + offsetAt(zone, instant) === asUtc);
  return candidates.length > 0 ? Math.min(...candidates) : before;
}

/** Whether a text is `YYYY-MM-DD` and a day that exists. */
export function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && date.toISOString().startsWith(text);
}

/** The reading taken as if it were UTC, epoch ms. */
export function wallAsUtc(wall: WallClock): number {
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second, wall.millisecond);
}

/** Milliseconds by which `zone` is ahead of UTC at an instant. */
export function offsetAt(zone: string, instant: number): number {
  // Offsets change at whole quarters of an hour, and reading one from Intl is slow.
  const quarter = Math.floor(instant / QUARTER);
  const name = `${zone} ${quarter}`;
  const known = offsets.get(name);
  if (known !== undefined) return known;
  const offset = readOffset(zone, quarter * QUARTER);
  if (offsets.size >= MOST_OFFSETS) offsets.clear();
  offsets.set(name, offset);
  return offset;
}

function readOffset(zone: string, instant: number): number {
  const parts = new Map(
    formatter(zone)
      .formatToParts(instant)
      .map((part) => [part.type, Number(part.value)]),
  );
  const field = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const shown = Date.UTC(
    field('year'),
    field('month') - 1,
    field('day'),
    field('hour'),
    field('minute'),
    field('second'),
  );
  return shown - instant;
}

const QUARTER = 900_000;
const MOST_OFFSETS = 20_000;
const offsets = new Map<string, number>();

const DAY = 86_400_000;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, made);
  return made;
}
