import type { Json } from '../../trace/json.ts';
import { pattern, type, type Value } from '../kernel/value.ts';

/** What a value has to be. */
export interface ValueForm {
  readonly want: Value;
  readonly fits: (value: Json) => boolean;
}

/** A member of a leg snapshot: in a lookup, in a subscribe, or in the changes of a notification. */
export interface LegMember {
  readonly path: string;
  /** The object that it is in; null for the leg itself. */
  readonly holder: string | null;
  readonly name: string;
  /** The sentence about its type. */
  readonly rule: string;
  readonly form: ValueForm;
  /** Whether the sentence itself says that it is there. */
  readonly isRequired: boolean;
  /** Whether a value of upstream is shown as it is, a number perhaps as a text, or in whatever words, if these are whole. */
  readonly shown: 'verbatim' | 'exact' | 'free';
  /** The sentence that is broken where it is not; null where it may be any. */
  readonly lost: string | null;
  /** The sentence about a value where upstream has none. */
  readonly madeUp: string | null;
}

/** Missing values are normally null; blank strings and zero values can appear too. */
export const text: ValueForm = {
  want: pattern('a string or null'),
  fits: (value) => value === null || typeof value === 'string' || value === 0,
};
const number: ValueForm = { want: type('string'), fits: (value) => typeof value === 'string' };
const flag: ValueForm = {
  want: pattern('the integer 0 or 1, or null'),
  fits: (value) => value === 0 || value === 1 || value === null,
};
/** No offset is as long as a day, and hours and minutes with a colon are not seconds. */
const offset: ValueForm = {
  want: pattern('a string or number of seconds, or null'),
  fits: (value) => {
    if (value === null) return true;
    if (typeof value === 'number') return Math.abs(value) <= 86_400;
    if (typeof value !== 'string' || /^\s*[+-]?\d{1,2}:\d\d/.test(value)) return false;
    return !(Math.abs(Number(value)) > 86_400);
  },
};

type Row = readonly [
  path: string,
  rule: string,
  form: ValueForm,
  shown: LegMember['shown'],
  lost: string | null,
  madeUp?: string,
];

const endRows = (end: string, rule: string, estimated: string): readonly Row[] => [
  [`${end}.airportIata`, rule, text, 'exact', 'FLA-SNP-030'],
  [`${end}.city`, rule, text, 'free', 'FLA-SNP-030'],
  [`${end}.terminal`, rule, text, 'exact', 'FLA-SNP-030', 'FLA-SNP-032'],
  [`${end}.utcOffsetSeconds`, 'FLA-SNP-015', offset, 'exact', 'FLA-SNP-030'],
  [`${end}.scheduledTime`, rule, text, 'verbatim', 'FLA-SNP-017'],
  [`${end}.estimatedTime`, rule, text, 'verbatim', 'FLA-SNP-017', estimated],
  [`${end}.actualTime`, rule, text, 'verbatim', 'FLA-SNP-017', 'FLA-SNP-032'],
];

const rows: readonly Row[] = [
  ['flightNumber', 'FLA-SNP-001', number, 'free', 'FLA-SNP-030'],
  ['stopover.airportIata', 'FLA-SNP-002', text, 'exact', 'FLA-SNP-030'],
  ['stopover.city', 'FLA-SNP-002', text, 'free', 'FLA-SNP-030'],
  ['isCodeshare', 'FLA-SNP-006', flag, 'exact', 'FLA-SNP-030'],
  ['codeshareFlightNumber', 'FLA-SNP-007', text, 'free', 'FLA-SNP-030'],
  ['status', 'FLA-SNP-008', text, 'verbatim', 'FLA-SNP-010', 'FLA-SNP-010'],
  ['airline.name', 'FLA-SNP-011', text, 'free', 'FLA-SNP-033'],
  ['airline.code', 'FLA-SNP-011', text, 'free', null],
  ...endRows('departure', 'FLA-SNP-013', 'FLA-SNP-019'),
  ['departure.gate', 'FLA-SNP-013', text, 'exact', 'FLA-SNP-030', 'FLA-SNP-032'],
  ['departure.boardingStatus', 'FLA-SNP-013', text, 'verbatim', 'FLA-SNP-020', 'FLA-SNP-020'],
  ...endRows('arrival', 'FLA-SNP-014', 'FLA-SNP-028'),
  ['arrival.baggageBelt', 'FLA-SNP-014', text, 'exact', 'FLA-SNP-030', 'FLA-SNP-032'],
];

const required = new Set(['FLA-SNP-001', 'FLA-SNP-002']);

/** The members that a leg snapshot always has; alternateInfo may be left out. */
export const legMembers: readonly LegMember[] = rows.map(([path, rule, form, shown, lost, madeUp = null]) => {
  const [first = path, second] = path.split('.');
  const place = second === undefined ? { holder: null, name: first } : { holder: first, name: second };
  return { path, ...place, rule, form, isRequired: required.has(rule), shown, lost, madeUp };
});

export const legPaths: readonly string[] = legMembers.map(({ path }) => path);

/** The objects of a leg snapshot, with the sentences about them. */
export const legObjects = {
  stopover: 'FLA-SNP-002',
  airline: 'FLA-SNP-011',
  departure: 'FLA-SNP-013',
  arrival: 'FLA-SNP-014',
} as const;

/** The members of a departure or arrival in an item of alternateInfo. */
export const alternateMembers = new Map([
  ...['city', 'airport', 'scheduledTime', 'actualTime'].map((name) => [name, text] as const),
  ['utcOffsetSeconds', offset] as const,
]);

const blankOrZero = /^[\s0\-:./TZ]*$/;

/** Whether a flight time has a value: missing ones appear as null, blank or zero. */
export function isSet(time: unknown): time is string {
  return typeof time === 'string' && !blankOrZero.test(time);
}
