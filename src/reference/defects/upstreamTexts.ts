import type { Snapshot } from '../flightAlerts/subscriptions.ts';
import { instantInZone, offsetAt } from '../shared/localTime.ts';
import { isPart, type Part } from './part.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('flight-alerts');

/** A snapshot with some texts of its departure and arrival changed. */
function withTexts(names: readonly string[], change: (text: string) => string) {
  const changed = (end: Part): Part =>
    Object.fromEntries(
      Object.entries(end).map(([name, value]) => [
        name,
        names.includes(name) && typeof value === 'string' ? change(value) : value,
      ]),
    );
  return ({ departure, arrival, ...rest }: Snapshot): Snapshot => ({
    ...rest,
    departure: isPart(departure) ? changed(departure) : departure,
    arrival: isPart(arrival) ? changed(arrival) : arrival,
  });
}

/** A time as a program shows it that reads it in the zone of its machine. */
function readIn(zone: string): (time: string) => string {
  return (time) => {
    const parts = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(time)?.slice(1).map(Number);
    if (!parts || parts[0] === 0) return time;
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
    const at = instantInZone({ year, month, day, hour, minute, second, millisecond: 0 }, zone);
    return new Date(at + offsetAt(zone, at)).toISOString().slice(0, 19).replace('T', ' ');
  };
}

const times = ['scheduledTime', 'estimatedTime', 'actualTime'];

/** Texts of upstream that are damaged on their way. */
export const upstreamTextDefects: readonly Defect[] = [
  sometimes('lookup-city-encoded-twice', 'Cities are written in UTF-8 twice.', 'FLA-SNP-030', {
    shapeSnapshot: withTexts(['city'], (city) => Buffer.from(city, 'utf8').toString('latin1')),
  }),
  sometimes('lookup-city-escaped', 'Cities are escaped as in HTML.', 'FLA-SNP-030', {
    shapeSnapshot: withTexts(['city'], (city) => city.replaceAll('&', '&amp;').replaceAll("'", '&#39;')),
  }),
  sometimes(
    'lookup-city-question-marks',
    'Cities have a question mark for what is no ASCII.',
    'FLA-SNP-030',
    {
      shapeSnapshot: withTexts(['city'], (city) => city.replace(/[^ -~]/gu, '?')),
    },
  ),
  sometimes(
    'lookup-skipped-hour-shifted',
    'Times in the hour that clocks of Europe skip are an hour later.',
    'FLA-SNP-017',
    { shapeSnapshot: withTexts(times, readIn('Europe/Berlin')) },
  ),
  sometimes(
    'lookup-skipped-hour-of-america-shifted',
    'Times in the hour that clocks of America skip are an hour later.',
    'FLA-SNP-017',
    { shapeSnapshot: withTexts(times, readIn('America/New_York')) },
  ),
];
