import { word } from '../kit/characters.ts';
import { parseDate } from '../kit/impossibleDates.ts';
import { digits, renderDate, type LocalDateTime } from '../kit/localTime.ts';
import type { Make } from '../kit/mutation.ts';

/** One of the tolerated spellings of a flight clock. A fraction stands only after seconds. */
export interface DateTimeForm {
  readonly separator: 'T' | ' ';
  readonly time: 'minutes' | 'seconds' | `.${number}`;
  /** Empty, `Z`, `+hh:mm` or `-hhmm`: ignored by the service, never converted. */
  readonly suffix: string;
  readonly spacesBefore: number;
  readonly spacesAfter: number;
}

/** `YYYY-MM-DDTHH:mm:ss`, the form that the document prefers. */
export const preferredForm: DateTimeForm = {
  separator: 'T',
  time: 'seconds',
  suffix: '',
  spacesBefore: 0,
  spacesAfter: 0,
};

/** One tolerated spelling alone, with its sentence. */
export interface Spelling {
  readonly rule: string;
  /** What sets it apart from the preferred form, as a clock is taken apart. */
  readonly trait: 'space' | 'minutes' | 'fraction' | 'z' | 'colon' | 'offset' | 'around' | null;
  readonly name: string;
  readonly form: Partial<DateTimeForm>;
}

/** Each tolerated spelling for itself. */
export const spellings: readonly Spelling[] = [
  { rule: 'WCI-DT-001', trait: null, name: 'the preferred form', form: {} },
  { rule: 'WCI-DT-002', trait: 'space', name: 'a space as separator', form: { separator: ' ' } },
  { rule: 'WCI-DT-003', trait: 'minutes', name: 'no seconds', form: { time: 'minutes' } },
  { rule: 'WCI-DT-004', trait: 'fraction', name: 'a fraction of one digit', form: { time: '.5' } },
  { rule: 'WCI-DT-004', trait: 'fraction', name: 'a fraction of three digits', form: { time: '.500' } },
  { rule: 'WCI-DT-006', trait: 'z', name: 'a trailing Z', form: { suffix: 'Z' } },
  { rule: 'WCI-DT-007', trait: 'colon', name: 'an offset +04:00', form: { suffix: '+04:00' } },
  { rule: 'WCI-DT-007', trait: 'colon', name: 'an offset -05:00', form: { suffix: '-05:00' } },
  { rule: 'WCI-DT-007', trait: 'colon', name: 'an offset -00:00', form: { suffix: '-00:00' } },
  { rule: 'WCI-DT-008', trait: 'offset', name: 'an offset -0500', form: { suffix: '-0500' } },
  { rule: 'WCI-DT-008', trait: 'offset', name: 'an offset +0400', form: { suffix: '+0400' } },
  {
    rule: 'WCI-DT-009',
    trait: 'around',
    name: 'a space on each side',
    form: { spacesBefore: 1, spacesAfter: 3 },
  },
];

/** What all of them look like. */
export const spelledClock =
  /^\s*\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?\s*$/;

/** Every tolerated form: separator, seconds, fraction, suffix and surrounding spaces combine freely. */
export const anySpelling: Make<DateTimeForm> = (fc) => {
  const fraction = word('0123456789', 1, 3)(fc).map((text) => `.${text}` as `.${number}`);
  return fc.record({
    separator: fc.constantFrom('T', ' '),
    time: fc.oneof(fc.constant('seconds' as const), fc.constant('minutes' as const), fraction),
    suffix: fc.oneof(fc.constant(''), fc.constant('Z'), offsetSuffix(fc)),
    spacesBefore: fc.integer({ min: 0, max: 3 }),
    spacesAfter: fc.integer({ min: 0, max: 3 }),
  });
};

/** An offset that some place on earth has or had: -12:00 to +14:00. */
const offsetSuffix: Make<string> = (fc) =>
  fc
    .tuple(fc.integer({ min: -12, max: 13 }), fc.constantFrom('00', '30', '45'), fc.constantFrom(':', ''))
    .map(([hours, minutes, colon]) => {
      const sign = hours < 0 ? '-' : '+';
      return `${sign}${digits(Math.abs(hours), 2)}${colon}${hours === -12 ? '00' : minutes}`;
    });

/** A wall clock in one of the forms; where the form has no seconds they are lost. */
export function renderDateTime(local: LocalDateTime, form: DateTimeForm): string {
  const clock = `${digits(local.hour, 2)}:${digits(local.minute, 2)}${renderSeconds(local, form)}`;
  const text = `${renderDate(local)}${form.separator}${clock}${form.suffix}`;
  return `${' '.repeat(form.spacesBefore)}${text}${' '.repeat(form.spacesAfter)}`;
}

function renderSeconds({ second }: LocalDateTime, { time }: DateTimeForm): string {
  if (time === 'minutes') return '';
  return `:${digits(second, 2)}${time === 'seconds' ? '' : time}`;
}

/** The wall clock of a valid flight clock, whatever its form. */
export function parseLocal(text: string): LocalDateTime {
  const clock = /[T ](\d\d):(\d\d)(?::(\d\d))?/.exec(text.trim());
  const [, hour = '0', minute = '0', second = '0'] = clock ?? [];
  return { ...parseDate(text), hour: Number(hour), minute: Number(minute), second: Number(second) };
}
