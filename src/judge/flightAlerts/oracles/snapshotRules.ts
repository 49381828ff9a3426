import { z } from 'zod';
import { isObject } from '../../kernel/body.ts';
import { rule } from '../../kernel/rule.ts';

/** Missing values are normally null; blank strings and zero values can appear too. */
const text = z.custom(
  (value) => value === null || typeof value === 'string' || value === 0,
  'a string or null',
);
/** An absent member is no violation of its type. */
const member = text.optional();
const container = z.custom(isObject, 'an object');

/** No offset is as long as a day, and hours and minutes with a colon are not seconds. */
const offset = z.custom((value) => {
  if (value === null) return true;
  if (typeof value === 'number') return Math.abs(value) <= 86_400;
  if (typeof value !== 'string' || /^\s*[+-]?\d{1,2}:\d\d/.test(value)) return false;
  return !(Math.abs(Number(value)) > 86_400);
}, 'a string or number of seconds, or null');

const blankOrZero = /^[\s0\-:./TZ]*$/;

/** Whether a flight time has a value: missing ones appear as null, blank or zero. */
export function isSet(time: unknown): time is string {
  return typeof time === 'string' && !blankOrZero.test(time);
}

const clock = z
  .custom(
    (value) => !isSet(value) || /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value),
    'YYYY-MM-DD HH:mm:ss without offset',
  )
  .optional();

const place = { airportIata: member, city: member, terminal: member };
const times = { scheduledTime: member, estimatedTime: member, actualTime: member };
const flag: readonly unknown[] = [0, 1, null];

/** What every leg snapshot has. */
export const legRules = [
  rule('FLA-SNP-001', z.object({ flightNumber: z.string() })),
  rule('FLA-SNP-002', z.object({ stopover: z.object({ airportIata: text, city: text }) })),
  rule('FLA-SNP-011', z.object({ airline: z.object({ name: member, code: member }) })),
  rule(
    'FLA-SNP-013',
    z.object({ departure: z.object({ ...place, ...times, gate: member, boardingStatus: member }) }),
  ),
  rule('FLA-SNP-014', z.object({ arrival: z.object({ ...place, ...times, baggageBelt: member }) })),
];

/** The types of members that may be absent, judged if they are present. */
export const memberRules = {
  isCodeshare: rule(
    'FLA-SNP-006',
    z.object({ isCodeshare: z.custom((value) => flag.includes(value), 'the integer 0 or 1, or null') }),
  ),
  codeshareFlightNumber: rule('FLA-SNP-007', z.object({ codeshareFlightNumber: text })),
  status: rule('FLA-SNP-008', z.object({ status: text })),
};

/** The two rules on a departure or arrival that also apply to the ends of an alternate. */
export const offsetRule = rule('FLA-SNP-015', z.object({ utcOffsetSeconds: offset }));
export const clockRule = rule(
  'FLA-SNP-016',
  z.object({ scheduledTime: clock, estimatedTime: clock, actualTime: clock }),
);

const end = container.nullish();
const alternateEnd = z
  .object({
    city: member,
    airport: member,
    scheduledTime: member,
    actualTime: member,
    utcOffsetSeconds: offset.optional(),
  })
  .nullish();

/** `alternateInfo`, where there is any: every member of it is optional and nullable. */
export const alternateRules = {
  items: rule(
    'FLA-SNP-004',
    z.object({ alternateInfo: z.array(z.object({ status: member, departure: end, arrival: end })) }),
  ),
  ends: rule(
    'FLA-SNP-005',
    z.object({ alternateInfo: z.array(z.object({ departure: alternateEnd, arrival: alternateEnd })) }),
  ),
};
