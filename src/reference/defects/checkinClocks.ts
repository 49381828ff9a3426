import { instantInZone, offsetAt, wallAsUtc, type WallClock } from '../shared/localTime.ts';
import { documentedClockFormat, formatClock } from '../webcheckin/clockText.ts';
import { demanding, skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** The clock format with one property changed. */
const format = (change: Partial<typeof documentedClockFormat>) => ({
  clockFormat: { ...documentedClockFormat, ...change },
});

/** The instant of a clock whose suffix is believed. */
function converted(wall: WallClock, suffix: string, zone: string): number {
  if (suffix === 'Z') return wallAsUtc(wall);
  const [, sign = '+', hours = '', minutes = ''] = /^([+-])(\d{2}):?(\d{2})$/.exec(suffix) ?? [];
  if (hours === '') return instantInZone(wall, zone);
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return wallAsUtc(wall) - (sign === '+' ? offset : -offset);
}

/** Mistakes in reading and showing time. */
export const checkinClockDefects: readonly Defect[] = [
  sometimes(
    'clock-space-refused',
    'A space as separator is refused.',
    format({ separators: 'T' }),
    ['WCI-DT-002'],
    ['WCI-DT-010'],
  ),
  sometimes(
    'clock-months-from-zero',
    'Months are counted from zero: there is a month 00 and no December.',
    format({ months: [0, 11] }),
    ['WCI-DT-001', 'WCI-DT-018'],
  ),
  sometimes('clock-day-zero', 'A month has a day 00.', format({ firstDay: 0 }), ['WCI-DT-018']),
  sometimes(
    'clock-seconds-required',
    'Seconds are required.',
    format({ seconds: 'required' }),
    ['WCI-DT-003'],
    ['WCI-DT-010'],
  ),
  sometimes(
    'clock-fraction-exactly-three',
    'A fraction must have three digits.',
    format({ fractionDigits: [3, 3] }),
    ['WCI-DT-004'],
    ['WCI-DT-010', 'WCI-DT-022'],
  ),
  sometimes(
    'clock-fraction-microseconds',
    'A fraction may have six digits.',
    format({ fractionDigits: [1, 6] }),
    ['WCI-DT-005'],
    ['WCI-DT-023'],
  ),
  sometimes('clock-fraction-empty', 'A fraction may have no digits.', format({ fractionDigits: [0, 3] }), [
    'WCI-DT-005',
  ]),
  sometimes(
    'clock-z-refused',
    'A trailing Z is refused.',
    format({ suffixes: '[+-]\\d{2}:?\\d{2}' }),
    ['WCI-DT-006'],
    ['WCI-DT-010', 'WCI-DT-013', 'WCI-DT-022'],
  ),
  sometimes(
    'clock-offset-colon-only',
    'An offset without colon is refused.',
    format({ suffixes: 'Z|[+-]\\d{2}:\\d{2}' }),
    ['WCI-DT-008'],
    ['WCI-DT-010'],
  ),
  sometimes(
    'clock-offset-plain-only',
    'An offset with colon is refused.',
    format({ suffixes: 'Z|[+-]\\d{4}' }),
    ['WCI-DT-007'],
    ['WCI-DT-010', 'WCI-DT-022'],
  ),
  sometimes(
    'clock-untrimmed',
    'Surrounding spaces are refused.',
    format({ trims: false }),
    ['WCI-DT-009'],
    ['WCI-DT-010'],
  ),
  sometimes(
    'clock-one-digit',
    'Month, day, hour and minute may have one digit.',
    format({ leastDigits: 1 }),
    ['WCI-DT-017'],
  ),
  sometimes(
    'clock-rolls-over',
    'A date that does not exist becomes the next one that does.',
    format({ rollsOver: true }),
    ['WCI-DT-018'],
    ['WCI-DT-020', 'WCI-DT-031', 'WCI-DT-032'],
  ),
  sometimes(
    'clock-date-only',
    'A date without time is accepted.',
    format({ time: 'optional' }),
    ['WCI-DT-015'],
    ['WCI-DT-023'],
  ),
  sometimes(
    'clock-arrival-unchecked',
    'A malformed arrival is passed over.',
    { enforces: skipping('flight.clock.format', ({ field }) => field === 'arrival_datetime') },
    ['WCI-DT-023'],
  ),
  sometimes(
    'clock-second-leg-unchecked',
    'From the second leg a malformed departure is passed over.',
    { enforces: skipping('flight.clock.format', ({ index }) => index > 0) },
    ['WCI-DT-032'],
    // Any booking with one fault may have it in its second leg.
    ['WCI-DT-005', 'WCI-DT-015', 'WCI-DT-016', 'WCI-DT-017', 'WCI-DT-018', 'WCI-DT-020'],
  ),
  sometimes(
    'offset-converted',
    'An offset is converted.',
    {
      departureInstant: (wall, suffix, zone) =>
        suffix === null ? instantInZone(wall, zone) : converted(wall, suffix, zone),
    },
    ['WCI-DT-011', 'WCI-DT-012', 'WCI-DT-013'],
  ),
  sometimes(
    'offset-negative-converted',
    'A negative offset is converted.',
    {
      departureInstant: (wall, suffix, zone) =>
        suffix?.startsWith('-') ? converted(wall, suffix, zone) : instantInZone(wall, zone),
    },
    ['WCI-DT-012'],
  ),
  sometimes(
    'offset-positive-converted',
    'A positive offset is converted.',
    {
      departureInstant: (wall, suffix, zone) =>
        suffix?.startsWith('+') ? converted(wall, suffix, zone) : instantInZone(wall, zone),
    },
    ['WCI-DT-011'],
  ),
  sometimes(
    'z-converted',
    'A trailing Z is taken for UTC.',
    {
      departureInstant: (wall, suffix, zone) =>
        suffix === 'Z' ? wallAsUtc(wall) : instantInZone(wall, zone),
    },
    ['WCI-DT-013'],
  ),
  always(
    'departure-as-utc',
    'Departures are read as UTC.',
    { departureInstant: (wall) => wallAsUtc(wall) },
    ['WCI-JRN-003'],
    ['WCI-JRN-001', 'WCI-JRN-011'],
  ),
  sometimes(
    'departure-standard-time',
    'Daylight saving is not applied.',
    {
      departureInstant: (wall, _suffix, zone) => wallAsUtc(wall) - offsetAt(zone, Date.UTC(wall.year, 0, 1)),
    },
    ['WCI-DT-030'],
  ),
  sometimes(
    'departure-whole-hours',
    'Offsets from UTC are taken for whole hours.',
    {
      departureInstant: (wall, _suffix, zone) => {
        const exact = wallAsUtc(wall) - instantInZone(wall, zone);
        return wallAsUtc(wall) - Math.floor(exact / 3_600_000) * 3_600_000;
      },
    },
    ['WCI-JRN-003'],
  ),
  sometimes(
    'arrival-suffix-converted',
    'The offset of an arrival is converted.',
    {
      arrivalInstant: (wall, suffix, zone) =>
        suffix === null ? instantInZone(wall, zone) : converted(wall, suffix, zone),
    },
    ['WCI-DT-024'],
  ),
  sometimes(
    'arrival-in-origin-zone',
    'Arrivals are read in the timezone of the origin.',
    { arrivalInstant: (wall, _suffix, _zone, originZone) => instantInZone(wall, originZone) },
    ['WCI-JRN-012'],
  ),
  sometimes(
    'arrival-after-departure',
    'An arrival clock must not lie before the departure clock.',
    { judges: (rule, index) => (rule === 'leadTime' ? index === 0 : true) },
    ['WCI-DT-025'],
  ),
  sometimes(
    'listed-departure-converted',
    'The listed departure is converted by its offset.',
    {
      departureValue: ({ departure, departureSuffix }) =>
        departureSuffix === null || departureSuffix === 'Z'
          ? formatClock(departure)
          : new Date(converted(departure, departureSuffix, 'UTC')).toISOString(),
    },
    ['WCI-DT-014'],
  ),
  always(
    'timestamps-without-milliseconds',
    'Timestamps have no milliseconds.',
    { timestamp: (ms) => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z') },
    ['WCI-DT-026', 'WCI-DT-027'],
  ),
  always(
    'timestamps-with-offset',
    'Timestamps end with +00:00.',
    { timestamp: (ms) => new Date(ms).toISOString().replace('Z', '+00:00') },
    ['WCI-DT-026', 'WCI-DT-027'],
  ),
  always(
    'timestamps-local',
    'Timestamps are local time marked as UTC.',
    { timestamp: (ms) => new Date(ms + 4 * 3_600_000).toISOString() },
    ['WCI-DT-028'],
    ['WCI-CB-019'],
  ),
  sometimes(
    'timestamps-on-the-second',
    'Timestamps that fall on a second have no fraction.',
    { timestamp: (ms) => new Date(ms).toISOString().replace('.000Z', 'Z') },
    ['WCI-DT-026'],
    ['WCI-DT-027'],
  ),

  sometimes('clock-no-leap-day', '29 February never exists.', format({ leapYears: false }), ['WCI-DT-019']),
  sometimes(
    'clock-time-unjudged',
    'Hours, minutes and seconds may have any value.',
    format({ judgesTime: false }),
    ['WCI-DT-020'],
  ),
  sometimes(
    'clock-arrival-preferred-only',
    'arrival_datetime must have the preferred form.',
    { enforces: demanding('flight.arrival.preferred') },
    ['WCI-DT-022'],
  ),
];
