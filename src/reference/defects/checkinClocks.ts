import { findAirport } from '../data/airports.ts';
import { instantInZone, offsetAt, wallAsUtc, type WallClock } from '../shared/localTime.ts';
import { documentedClockFormat, formatClock } from '../webcheckin/clockText.ts';
import { alsoEnforcing, skipping } from './rules.ts';
import type { Place } from '../webcheckin/policyTerms.ts';
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
    'WCI-DT-002 also WCI-DT-010',
    format({ separators: 'T' }),
  ),
  sometimes(
    'clock-months-from-zero',
    'Months are counted from zero: there is a month 00 and no December.',
    'WCI-DT-001 WCI-DT-018',
    format({ months: [0, 11] }),
  ),
  sometimes('clock-day-zero', 'A month has a day 00.', 'WCI-DT-018', format({ firstDay: 0 })),
  sometimes(
    'clock-seconds-required',
    'Seconds are required.',
    'WCI-DT-003 also WCI-DT-010',
    format({ seconds: 'required' }),
  ),
  sometimes(
    'clock-fraction-exactly-three',
    'A fraction must have three digits.',
    'WCI-DT-004 also WCI-DT-010 WCI-DT-022',
    format({ fractionDigits: [3, 3] }),
  ),
  sometimes(
    'clock-fraction-microseconds',
    'A fraction may have six digits.',
    'WCI-DT-005 also WCI-DT-023',
    format({ fractionDigits: [1, 6] }),
  ),
  sometimes(
    'clock-fraction-empty',
    'A fraction may have no digits.',
    'WCI-DT-005',
    format({ fractionDigits: [0, 3] }),
  ),
  sometimes(
    'clock-z-refused',
    'A trailing Z is refused.',
    'WCI-DT-006 also WCI-DT-010 WCI-DT-013 WCI-DT-022',
    format({ suffixes: '[+-]\\d{2}:?\\d{2}' }),
  ),
  sometimes(
    'clock-offset-colon-only',
    'An offset without colon is refused.',
    'WCI-DT-008 also WCI-DT-010',
    format({ suffixes: 'Z|[+-]\\d{2}:\\d{2}' }),
  ),
  sometimes(
    'clock-offset-plain-only',
    'An offset with colon is refused.',
    'WCI-DT-007 also WCI-DT-010 WCI-DT-022',
    format({ suffixes: 'Z|[+-]\\d{4}' }),
  ),
  sometimes(
    'clock-untrimmed',
    'Surrounding spaces are refused.',
    'WCI-DT-009 also WCI-DT-010 WCI-DT-033',
    format({ trims: false }),
  ),
  sometimes(
    'clock-one-digit',
    'Month, day, hour and minute may have one digit.',
    'WCI-DT-017',
    format({ leastDigits: 1 }),
  ),
  sometimes(
    'clock-rolls-over',
    'A date that does not exist becomes the next one that does.',
    'WCI-DT-018 also WCI-DT-020 WCI-DT-031 WCI-DT-032',
    format({ rollsOver: true }),
  ),
  sometimes(
    'clock-underscore',
    'Date and time may be separated by an underscore.',
    'WCI-DT-016',
    format({ separators: 'T _' }),
  ),
  sometimes(
    'clock-slashes',
    'Slashes may stand between year, month and day.',
    'WCI-DT-016',
    format({ dateSeparators: '-/' }),
  ),
  sometimes(
    'clock-zone-name',
    'A time may end with GMT or UTC.',
    'WCI-DT-016',
    format({ suffixes: `${documentedClockFormat.suffixes}| GMT| UTC` }),
  ),
  sometimes(
    'clock-date-only',
    'A date without time is accepted.',
    'WCI-DT-015 also WCI-DT-023',
    format({ time: 'optional' }),
  ),
  sometimes('clock-arrival-unchecked', 'A malformed arrival is passed over.', 'WCI-DT-023 also WCI-DT-034', {
    enforces: skipping('flight.clock.format', ({ field }) => field === 'arrival_datetime'),
  }),
  sometimes(
    'clock-second-leg-unchecked',
    'From the second leg a malformed departure is passed over.',
    'WCI-DT-032 also WCI-DT-005 WCI-DT-015 WCI-DT-016 WCI-DT-017 WCI-DT-018 WCI-DT-020 WCI-DT-023',
    { enforces: skipping('flight.clock.format', ({ index }) => index > 0) },
  ),
  sometimes(
    'clock-spaces-only',
    'Only spaces are tolerated around a clock.',
    'WCI-DT-033',
    format({ around: /^ +| +$/g }),
  ),
  sometimes(
    'clock-lower-case-letters',
    'A lower-case t or z is taken for T or Z.',
    'WCI-DT-034',
    format({ separators: 'Tt ', suffixes: `${documentedClockFormat.suffixes}|z` }),
  ),
  sometimes(
    'clock-hours-offset',
    'An offset may be of hours only.',
    'WCI-DT-034',
    format({
      suffixes: `${documentedClockFormat.suffixes}|[+-]\\d\\d`,
    }),
  ),
  sometimes('short-offset-later', 'From the second leg an offset needs a colon.', 'WCI-DT-008', {
    enforces: alsoEnforcing(
      'flight.clock.combination',
      (place) => place.index > 0 && written(/[+-]\d{4}\s*$/)(place),
    ),
  }),
  sometimes('clock-minutes-with-z', 'A clock without seconds must not end with Z.', 'WCI-DT-010', {
    enforces: alsoEnforcing('flight.clock.combination', written(/T\d\d:\d\dZ/)),
  }),
  sometimes('clock-minutes-with-offset', 'A clock without seconds must have no offset.', 'WCI-DT-010', {
    enforces: alsoEnforcing('flight.clock.combination', written(/T\d\d:\d\d[+-]\d\d:/)),
  }),
  sometimes('clock-fraction-with-z', 'A fraction must not be followed by Z.', 'WCI-DT-010', {
    enforces: alsoEnforcing('flight.clock.combination', written(/\.\d+Z/)),
  }),
  sometimes('clock-space-with-z', 'After a space there may be no Z.', 'WCI-DT-010', {
    enforces: alsoEnforcing('flight.clock.combination', written(/\d \d.*Z/)),
  }),
  sometimes('clock-space-with-minutes', 'A space must be followed by a clock with seconds.', 'WCI-DT-010', {
    enforces: alsoEnforcing('flight.clock.combination', written(/\d \d\d:\d\d(?!:)/)),
  }),
  sometimes('offset-converted', 'An offset is converted.', 'WCI-DT-011 WCI-DT-012 WCI-DT-013', {
    departureInstant: (wall, suffix, zone) =>
      suffix === null ? instantInZone(wall, zone) : converted(wall, suffix, zone),
  }),
  sometimes('offset-negative-converted', 'A negative offset is converted.', 'WCI-DT-012', {
    departureInstant: (wall, suffix, zone) =>
      suffix?.startsWith('-') ? converted(wall, suffix, zone) : instantInZone(wall, zone),
  }),
  sometimes('offset-positive-converted', 'A positive offset is converted.', 'WCI-DT-011', {
    departureInstant: (wall, suffix, zone) =>
      suffix?.startsWith('+') ? converted(wall, suffix, zone) : instantInZone(wall, zone),
  }),
  sometimes('z-converted', 'A trailing Z is taken for UTC.', 'WCI-DT-013', {
    departureInstant: (wall, suffix, zone) => (suffix === 'Z' ? wallAsUtc(wall) : instantInZone(wall, zone)),
  }),
  always(
    'departure-as-utc',
    'Departures are read as UTC.',
    'WCI-JRN-003 also WCI-JRN-001 WCI-JRN-011 WCI-DT-036',
    {
      departureInstant: (wall) => wallAsUtc(wall),
    },
  ),
  sometimes('departure-standard-time', 'Daylight saving is not applied.', 'WCI-DT-030 also WCI-DT-036', {
    departureInstant: (wall, _suffix, zone) => wallAsUtc(wall) - offsetAt(zone, Date.UTC(wall.year, 0, 1)),
  }),
  sometimes('departure-todays-offset', "Today's offset holds for departures of any season.", 'WCI-DT-036', {
    departureInstant: (wall, _suffix, zone, now) => wallAsUtc(wall) - offsetAt(zone, now),
  }),
  sometimes('departure-whole-hours', 'Offsets from UTC are taken for whole hours.', 'WCI-JRN-003', {
    departureInstant: (wall, _suffix, zone) => {
      const exact = wallAsUtc(wall) - instantInZone(wall, zone);
      return wallAsUtc(wall) - Math.floor(exact / 3_600_000) * 3_600_000;
    },
  }),
  sometimes(
    'arrival-suffix-converted',
    'The offset of an arrival is converted.',
    'WCI-DT-024 also WCI-DT-022',
    {
      arrivalInstant: (wall, suffix, zone) =>
        suffix === null ? instantInZone(wall, zone) : converted(wall, suffix, zone),
    },
  ),
  sometimes('arrival-in-origin-zone', 'Arrivals are read in the timezone of the origin.', 'WCI-JRN-012', {
    arrivalInstant: (wall, _suffix, _zone, originZone) => instantInZone(wall, originZone),
  }),
  sometimes(
    'arrival-after-departure',
    'An arrival clock must not lie before the departure clock.',
    'WCI-DT-025',
    { judges: (rule, index) => (rule === 'leadTime' ? index === 0 : true) },
  ),
  sometimes('listed-departure-converted', 'The listed departure is converted by its offset.', 'WCI-DT-014', {
    departureValue: ({ departure, departureSuffix }) =>
      departureSuffix === null || departureSuffix === 'Z'
        ? formatClock(departure)
        : new Date(converted(departure, departureSuffix, 'UTC')).toISOString(),
  }),
  sometimes(
    'listed-departure-by-another-season',
    'The listed departure is an hour off where its zone has other clocks than in July.',
    'WCI-DT-014',
    {
      departureValue: ({ departure, origin }) => {
        const zone = findAirport(origin)?.zone ?? 'UTC';
        const shift = offsetAt(zone, wallAsUtc(departure)) - offsetAt(zone, Date.UTC(2026, 6, 15));
        return new Date(wallAsUtc(departure) + shift).toISOString().slice(0, 19);
      },
    },
  ),
  always('timestamps-without-milliseconds', 'Timestamps have no milliseconds.', 'WCI-DT-026 WCI-DT-027', {
    timestamp: (ms) => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z'),
  }),
  always('timestamps-with-offset', 'Timestamps end with +00:00.', 'WCI-DT-026 WCI-DT-027', {
    timestamp: (ms) => new Date(ms).toISOString().replace('Z', '+00:00'),
  }),
  always('timestamps-local', 'Timestamps are local time marked as UTC.', 'WCI-DT-028 also WCI-CB-019', {
    timestamp: (ms) => new Date(ms + 4 * 3_600_000).toISOString(),
  }),
  sometimes(
    'timestamps-on-the-second',
    'Timestamps that fall on a second have no fraction.',
    'WCI-DT-026 also WCI-DT-027',
    { timestamp: (ms) => new Date(ms).toISOString().replace('.000Z', 'Z') },
  ),

  sometimes('clock-no-leap-day', '29 February never exists.', 'WCI-DT-019', format({ leapYears: false })),
  sometimes(
    'clock-time-unjudged',
    'Hours, minutes and seconds may have any value.',
    'WCI-DT-020',
    format({ judgesTime: false }),
  ),
  sometimes(
    'clock-arrival-preferred-only',
    'arrival_datetime must have the preferred form.',
    'WCI-DT-022 also WCI-DT-033 WCI-DT-010',
    {
      enforces: alsoEnforcing('flight.arrival.preferred'),
    },
  ),
];

/** Whether a text is written so; a clock in any of the documented forms may be. */
function written(pattern: RegExp): (place: Place) => boolean {
  return ({ value }) => typeof value === 'string' && pattern.test(value);
}
