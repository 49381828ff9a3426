import { isCalendarDay } from '../kit/impossibleDates.ts';
import { utcDate } from '../kit/localTime.ts';
import { setTo } from '../kit/mutation.ts';
import { dated, free, isText, lacking, like, open, texts, type Form } from './form.ts';

/** Fits a text that is no date. */
export const notDay = texts((text) => !isCalendarDay(text));

/** The forms that every date of a person has. */
export function dates(member: string, rule: string, leapDay: string): readonly Form[] {
  return [
    lacking(rule, `${member}-malformed`, notDay, setTo(member, 'soon', '31/12/1999', '2001-02-30')),
    free('WCI-SUB-075', `${member}-on-a-leap-day`, like(/-02-29$/), setTo(member, leapDay)),
  ];
}

/** A service may have its own opinion of a document that has expired, or is about to. */
export const soon = dated(
  open(
    'expiry_date-soon',
    (day, { now }) => isText(day) && now !== undefined && day < utcDate(now, 300),
    setTo('expiry_date', '2020-01-01'),
  ),
);
/** Nobody is born so long ago, or so late, for certain. */
export const oddAge = dated(
  open(
    'date_of_birth-unusual',
    (day, { now }) => isText(day) && (day < '1920' || (now !== undefined && day > utcDate(now, -800))),
    setTo('date_of_birth', '1901-01-01'),
  ),
);

/** Years that do not fit into 31 bits of seconds, as long as a passport may hold. */
export const late = free(
  'WCI-SUB-092',
  'expiry_date-beyond-2038',
  texts((day) => day > '2038-01-19' && day < '2042'),
  setTo('expiry_date', '2039-06-30'),
);
/** Before the first second that many programs count. */
export const early = free(
  'WCI-SUB-092',
  'date_of_birth-before-1970',
  texts((day) => day >= '1920' && day < '1970'),
  setTo('date_of_birth', '1969-12-31', '1948-03-01'),
);
