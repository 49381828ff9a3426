import { z } from 'zod';
import { isObject } from '../body.ts';
import { rule } from '../rule.ts';

/** Missing values normally are null; blank strings and zero values can appear too. An absent member has no type. */
const text = z.custom(
  (value) => value == null || typeof value === 'string' || value === 0,
  'a string or null',
);
const presentText = z.custom(
  (value) => value === null || typeof value === 'string' || value === 0,
  'present as a string or null',
);
const container = z.custom(isObject, 'an object');

const zero = /^[\s0\-:./TZ]*$/;
const clock = z.custom(
  (value) => typeof value !== 'string' || zero.test(value) || /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value),
  'YYYY-MM-DD HH:mm:ss without offset',
);

/** A day is more than any offset, hours and minutes with a colon are none in seconds. */
const offset = z.custom((value) => {
  if (value == null) return true;
  if (typeof value === 'number') return Math.abs(value) <= 86_400;
  return (
    typeof value === 'string' && !/^\s*[+-]?\d{1,2}:\d\d/.test(value) && !(Math.abs(Number(value)) > 86_400)
  );
}, 'a string or number of seconds, or null');

const place = { airportIata: text, city: text, terminal: text };
const times = { scheduledTime: text, estimatedTime: text, actualTime: text };
const clocks = z.looseObject({ scheduledTime: clock, estimatedTime: clock, actualTime: clock });
const flag: readonly unknown[] = [0, 1, null, undefined];

/** The rules of a leg snapshot that need nothing but the snapshot. Rules on members hold where their object is one. */
export const snapshotRules = [
  rule('FLA-SNP-001', z.object({ flightNumber: z.string() })),
  rule('FLA-SNP-002', z.object({ stopover: z.object({ airportIata: presentText, city: presentText }) })),
  rule(
    'FLA-SNP-006',
    z.object({ isCodeshare: z.custom((value) => flag.includes(value), 'the integer 0 or 1, or null') }),
  ),
  rule('FLA-SNP-007', z.object({ codeshareFlightNumber: text })),
  rule('FLA-SNP-008', z.object({ status: text })),
  rule('FLA-SNP-011', z.object({ airline: z.object({ name: text, code: text }) })),
  rule(
    'FLA-SNP-013',
    z.object({ departure: z.object({ ...place, ...times, gate: text, boardingStatus: text }) }),
  ),
  rule('FLA-SNP-014', z.object({ arrival: z.object({ ...place, ...times, baggageBelt: text }) })),
];

const end = z.union([z.null(), z.undefined(), container]);
const alternateEnd = z
  .object({ city: text, airport: text, scheduledTime: text, actualTime: text, utcOffsetSeconds: offset })
  .nullish();

/** `alternateInfo`, where there is any. */
export const alternateRules = {
  items: rule(
    'FLA-SNP-004',
    z.object({ alternateInfo: z.array(z.object({ status: text, departure: end, arrival: end })) }),
  ),
  ends: rule(
    'FLA-SNP-005',
    z.object({ alternateInfo: z.array(z.object({ departure: alternateEnd, arrival: alternateEnd })) }),
  ),
};

/** Rules on values; they are judged where the container is there. */
export const offsetRule = rule('FLA-SNP-015', z.object({ utcOffsetSeconds: offset }));
export const clockRule = rule('FLA-SNP-016', clocks);
