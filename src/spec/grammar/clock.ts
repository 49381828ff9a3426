import * as fc from 'fast-check';
import { impossibleDatesAfter, oneDigitDateAfter, renderShortDate } from '../kit/impossibleDates.ts';
import { textAt, without, type JsonObject } from '../kit/json.ts';
import { digits, renderDate, type LocalDateTime } from '../kit/localTime.ts';
import { isText, type Form, type FormKind, type Refusal } from './form.ts';
import {
  dateTimeForm,
  parseLocal,
  preferredForm,
  renderDateTime,
  type DateTimeForm,
} from './clockSpelling.ts';

/** A way to write a flight clock, made from a wall clock that would be valid. */
export interface ClockForm {
  readonly name: string;
  readonly kind: FormKind;
  readonly rule: string | null;
  readonly refusal: Refusal;
  readonly fits: (clock: WrittenClock) => boolean;
  readonly text: fc.Arbitrary<Render>;
  /** A lenient reader takes it for a later date, which only the last leg of a trip can have. */
  readonly later: boolean;
}

type Render = (local: LocalDateTime) => string;

/** A text that should be a clock, taken apart as far as it goes. */
interface WrittenClock {
  readonly text: string;
  /** Digits of year, month and day; null if it does not begin with them. */
  readonly date: readonly [year: string, month: string, day: string] | null;
  /** What stands behind the date; null for nothing that begins with a time. */
  readonly time: WrittenTime | null;
  readonly rest: string;
}

interface WrittenTime {
  readonly separator: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string | null;
  readonly fraction: string | null;
  readonly suffix: string;
}

const clockOf = (local: LocalDateTime) =>
  `${digits(local.hour, 2)}:${digits(local.minute, 2)}:${digits(local.second, 2)}`;
const minuteOf = ({ hour, minute }: LocalDateTime) => `${digits(hour, 2)}:${digits(minute, 2)}`;
const withClock = (date: string, local: LocalDateTime) => `${date}T${clockOf(local)}`;
const withTime = (time: string) => (local: LocalDateTime) => `${renderDate(local)}T${time}`;
const plain = (local: LocalDateTime) => `${renderDate(local)}T${minuteOf(local)}:00`;
const suffix = fc.constantFrom('', 'Z', '+04:00');

const longFraction = fc
  .tuple(fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: 4, maxLength: 9 }), suffix)
  .map(
    ([fraction, end]) =>
      (local: LocalDateTime) =>
        `${withClock(renderDate(local), local)}.${fraction}${end}`,
  );

const bareDot = suffix.map(
  (end) => (local: LocalDateTime) => `${withClock(renderDate(local), local)}.${end}`,
);

const nonexistentDay = fc
  .tuple(fc.nat({ max: 3 }), dateTimeForm)
  .map(([index, form]) => (local: LocalDateTime) => {
    const dates = impossibleDatesAfter(local, 4);
    return renderDateTime({ ...local, ...dates[index % dates.length] }, form);
  });

/** Read as the last day of the month before, it is a date that is yet to come. */
const dayZero = dateTimeForm.map((form) => (local: LocalDateTime) => {
  const [year, month] = local.month < 11 ? [local.year, local.month + 2] : [local.year + 1, local.month - 10];
  return renderDateTime({ ...local, year, month, day: 0 }, form);
});

/** Read as the December before, it is not over yet. */
const monthZero = calendar(({ year }) => ({ year: year + 1, month: 0 }));

const dateIs =
  (has: (month: number, day: number, clock: WrittenClock) => boolean): ClockForm['fits'] =>
  (clock) =>
    clock.date !== null && has(Number(clock.date[1]), Number(clock.date[2]), clock);
const timeIs =
  (has: (time: WrittenTime) => boolean): ClockForm['fits'] =>
  ({ time }) =>
    time !== null && has(time);
const textIs =
  (pattern: RegExp): ClockForm['fits'] =>
  ({ text }) =>
    pattern.test(text);
const suffixIs = (pattern: RegExp) => timeIs(({ suffix: end }) => pattern.test(end.trimEnd()));

/** Every form that is not the preferred one, in the order in which a clock is read. */
const forms: readonly ClockForm[] = [
  family(
    'WCI-DT-016',
    'empty',
    textIs(/^$/),
    fixed(() => ''),
    'payload',
  ),
  // What parsers of many languages take for a date as well.
  family(
    'WCI-DT-016',
    'slashes',
    textIs(/^\s*\d{4}\/\d/),
    fixed((local) => withClock(renderDate(local).replaceAll('-', '/'), local)),
    'payload',
  ),
  family('WCI-DT-016', 'day-first', textIs(/^\s*\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/), fixed(dayFirst), 'payload'),
  family(
    'WCI-DT-016',
    'epoch-digits',
    textIs(/^\s*\d+\s*$/),
    fixed(epochSeconds, epochMilliseconds),
    'payload',
  ),
  family(
    'WCI-DT-016',
    'free-text',
    ({ date }) => date === null,
    fixed(
      () => 'tomorrow',
      () => 'not a date',
    ),
    'payload',
  ),
  later('WCI-DT-017', 'one-digit-month', ({ date }) => date?.[1].length === 1, fixed(oneDigitMonth)),
  later('WCI-DT-017', 'one-digit-day', ({ date }) => date?.[2].length === 1, fixed(oneDigitDay)),
  later(
    'WCI-DT-018',
    'month-00',
    dateIs((month) => month === 0),
    monthZero,
  ),
  family(
    'WCI-DT-018',
    'month-13',
    dateIs((month) => month > 12),
    calendar({ month: 13 }),
  ),
  later(
    'WCI-DT-018',
    'day-00',
    dateIs((_, day) => day === 0),
    dayZero,
  ),
  later(
    'WCI-DT-018',
    'nonexistent-day',
    dateIs((_month, _day, { date }) => !isReal(date)),
    nonexistentDay,
  ),
  family('WCI-DT-015', 'date-only', ({ rest }) => rest.trim() === '', fixed(renderDate)),
  family(
    'WCI-DT-016',
    'other-separator',
    ({ time }) => time === null,
    fixed((local) => `${renderDate(local)}_${clockOf(local)}`),
    'payload',
  ),
  family(
    'WCI-DT-017',
    'one-digit-hour',
    timeIs(({ hour }) => hour.length !== 2),
    fixed(withTime('9:05'), withTime('9:05:00')),
  ),
  family(
    'WCI-DT-017',
    'one-digit-minute',
    timeIs(({ minute }) => minute.length !== 2),
    fixed(withTime('10:5'), withTime('10:5:00')),
  ),
  family(
    'WCI-DT-020',
    'hour-25',
    timeIs(({ hour }) => Number(hour) > 24),
    calendar({ hour: 25, minute: 0 }),
  ),
  family(
    'WCI-DT-020',
    'minute-60',
    timeIs(({ minute }) => Number(minute) > 59),
    calendar({ minute: 60 }),
  ),
  family(
    'WCI-DT-020',
    'second-61',
    timeIs(({ second }) => Number(second ?? 0) > 60),
    fixed((local) => renderDateTime({ ...local, second: 61 }, preferredForm)),
  ),
  family(
    'WCI-DT-005',
    'fraction-bare-dot',
    timeIs(({ fraction }) => fraction === ''),
    bareDot,
  ),
  family(
    'WCI-DT-005',
    'fraction-too-long',
    timeIs(({ fraction }) => (fraction?.length ?? 0) > 3),
    longFraction,
  ),
  family(
    'WCI-DT-016',
    'zone-name',
    suffixIs(/^ [A-Z]{3,4}$/),
    fixed((local) => `${withClock(renderDate(local), local)} GMT`),
    'payload',
  ),
  // Where the document is silent (WCI-OPN-036); the lower-case letters and the short offset are refused as the words say (WCI-DT-034).
  corner(
    null,
    'no-break-space-before',
    ({ text }) => outer(text) !== outer(text).replace(/[^ \t\r\n]/g, ''),
    (local) => `\u00a0${plain(local)}`,
  ),
  corner(
    null,
    'hour-24',
    timeIs(({ hour }) => hour === '24'),
    (local) => `${renderDate(local)}T24:00`,
  ),
  corner(
    null,
    'second-60',
    timeIs(({ second }) => second !== null && (second === '60' || second.length !== 2)),
    (local) => `${renderDate(local)}T${minuteOf(local)}:60`,
  ),
  corner(
    'WCI-DT-034',
    'lower-case-t',
    timeIs(({ separator }) => separator === 't'),
    (local) => plain(local).replace('T', 't'),
  ),
  corner('WCI-DT-034', 'lower-case-z', suffixIs(/^z$/), (local) => `${plain(local)}z`),
  corner(
    null,
    'fraction-without-seconds',
    timeIs(({ second, fraction }) => second === null && fraction !== null),
    (local) => `${renderDate(local)}T${minuteOf(local)}.5`,
  ),
  corner('WCI-DT-034', 'offset-hours-only', suffixIs(/^[+-]\d\d$/), (local) => `${plain(local)}+04`),
  corner(null, 'space-before-suffix', suffixIs(/^\s+\S/), (local) => `${plain(local)} +04:00`),
  corner(
    null,
    'offset-minute-out-of-range',
    suffixIs(/^[+-]\d\d:?[6-9]\d$/),
    (local) => `${plain(local)}+04:60`,
  ),
  // And whatever else may end a clock.
  corner(
    null,
    'offset-hour-out-of-range',
    timeIs(({ suffix: end }) => !/^(Z|[+-](0\d|1[0-3]):?\d\d|[+-]14:?00)?$/.test(end.trimEnd())),
    (local) => `${plain(local)}+25:00`,
  ),
  allowed(
    'WCI-DT-033',
    'tabs-around',
    ({ text }) => outer(text).startsWith('\t'),
    (local) => `\t${plain(local)}\t`,
  ),
  allowed(
    'WCI-DT-033',
    'newline-after',
    ({ text }) => /[\t\r\n]/.test(outer(text)),
    (local) => `${plain(local)}\n`,
  ),
  tolerated('WCI-DT-010', 'clock-combination', (spellings) => spellings.length > 1, {
    separator: ' ',
    time: 'minutes',
    suffix: 'Z',
  }),
  tolerated('WCI-DT-002', 'clock-space', ([one]) => one === 'space', { separator: ' ' }),
  tolerated('WCI-DT-003', 'clock-minutes', ([one]) => one === 'minutes', { time: 'minutes' }),
  tolerated('WCI-DT-004', 'clock-fraction', ([one]) => one === 'fraction', { time: '.05' }),
  tolerated('WCI-DT-006', 'clock-z', ([one]) => one === 'z', { suffix: 'Z' }),
  tolerated('WCI-DT-007', 'clock-offset', ([one]) => one === 'colon', { suffix: '+04:00' }),
  tolerated('WCI-DT-008', 'clock-short-offset', ([one]) => one === 'offset', { suffix: '-0400' }),
  tolerated('WCI-DT-009', 'clock-spaces-around', ([one]) => one === 'around', {
    spacesBefore: 2,
    spacesAfter: 1,
  }),
];

/** The spellings on which the document is silent or that are to be tolerated, each as one text of a wall clock. */
export const dateTimeCorners: readonly { readonly name: string; readonly text: Render }[] = forms
  .filter(({ name, kind }) => kind === 'open' || name === 'tabs-around' || name === 'newline-after')
  .map(({ name, text }) => ({ name, text: fc.sample(text, { seed: 0, numRuns: 1 })[0] ?? plain }));

/** The three kinds of fault that the catalogue names for an arrival clock; what readers make of the others is open. */
const ofArrival: Readonly<Record<string, ClockForm['fits']>> = {
  'free-text': ({ date, time, rest }) => date === null || (time === null && rest.trim() !== ''),
  'date-only': ({ rest }) => rest.trim() === '',
  'fraction-too-long': timeIs(({ fraction }) => fraction === '' || (fraction?.length ?? 0) > 3),
};

/** The forms of the texts of a departure. */
export const departureForms: readonly Form[] = forms.map((form) => onMember('departure_datetime', form));

/** The forms of the texts of an arrival. */
export const arrivalForms: readonly Form[] = forms
  .filter(
    ({ name }) =>
      !['empty', 'slashes', 'day-first', 'epoch-digits', 'other-separator', 'fraction-bare-dot'].includes(
        name,
      ),
  )
  .map((form) => onMember('arrival_datetime', { ...asArrival(form), name: `arrival-${form.name}` }));

function asArrival(form: ClockForm): ClockForm {
  const fits = ofArrival[form.name];
  if (fits) return { ...form, fits, rule: 'WCI-DT-023', refusal: 'journey' };
  if (form.kind === 'fault')
    return { ...form, kind: 'open', rule: form.rule === 'WCI-DT-018' ? 'WCI-DT-031' : null };
  return form.kind === 'free' && form.rule !== 'WCI-DT-033' ? { ...form, rule: 'WCI-DT-022' } : form;
}

function onMember(
  member: string,
  { name, kind, rule, refusal, fits, text, later: isLater }: ClockForm,
): Form {
  const make = text.map((render) => (flight: JsonObject) => {
    const written = render(parseLocal(textAt(flight, 'departure_datetime')));
    return { ...(isLater ? without(flight, 'arrival_datetime') : flight), [member]: written };
  });
  return {
    ...{ name, kind, rule, refusal, make },
    fits: (value) => isText(value) && fits(read(value)),
    ...(isLater ? { only: 'last' as const } : {}),
  };
}

let latest: WrittenClock = { text: '', date: null, time: null, rest: '' };

/** The forms ask one after another. */
function read(text: string): WrittenClock {
  if (latest.text !== text) latest = takenApart(text);
  return latest;
}

function takenApart(text: string): WrittenClock {
  const [, year = '', month = '', day = '', rest = ''] =
    /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)(.*)$/s.exec(text) ?? [];
  if (year === '') return { text, date: null, time: null, rest: '' };
  const [, separator = '', hour = '', minute = '', second = null, fraction = null, end = ''] =
    /^([Tt ])(\d+):(\d+)(?::(\d+))?(?:\.(\d*))?(.*)$/s.exec(rest) ?? [];
  const time = separator === '' ? null : { separator, hour, minute, second, fraction, suffix: end };
  return { text, date: [year, month, day], time, rest };
}

/** The white space around a text. */
function outer(text: string): string {
  const inner = text.trim();
  return inner === '' ? '' : text.replace(inner, '');
}

function isReal(date: WrittenClock['date']): boolean {
  const text = date?.join('-') ?? '';
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** The tolerated spellings in a clock, other than the preferred ones. */
function spellingsOf({ text, time }: WrittenClock): readonly string[] {
  if (time === null) return [];
  const end = time.suffix.trimEnd();
  return [
    ...(outer(text) === '' ? [] : ['around']),
    ...(time.separator === ' ' ? ['space'] : []),
    ...(time.second === null ? ['minutes'] : time.fraction === null ? [] : ['fraction']),
    ...(end === '' ? [] : [end === 'Z' ? 'z' : end.includes(':') ? 'colon' : 'offset']),
  ];
}

function family(
  rule: string,
  name: string,
  fits: ClockForm['fits'],
  text: fc.Arbitrary<Render>,
  refusal: Refusal = 'journey',
): ClockForm {
  return { rule, name, kind: 'fault', refusal, fits, text, later: false };
}

function later(rule: string, name: string, fits: ClockForm['fits'], text: fc.Arbitrary<Render>): ClockForm {
  return { ...family(rule, name, fits, text), later: true };
}

function corner(rule: string | null, name: string, fits: ClockForm['fits'], render: Render): ClockForm {
  return { ...family('', name, fits, fixed(render)), rule, kind: 'open' };
}

function allowed(rule: string, name: string, fits: ClockForm['fits'], render: Render): ClockForm {
  return { ...corner(rule, name, fits, render), kind: 'free' };
}

function tolerated(
  rule: string,
  name: string,
  has: (spellings: readonly string[]) => boolean,
  change: Partial<DateTimeForm>,
): ClockForm {
  return allowed(
    rule,
    name,
    (clock) => has(spellingsOf(clock)),
    (local) => renderDateTime(local, { ...preferredForm, ...change }),
  );
}

function fixed(...renders: readonly Render[]): fc.Arbitrary<Render> {
  return fc.constantFrom(...renders);
}

function calendar(
  part: Partial<LocalDateTime> | ((local: LocalDateTime) => Partial<LocalDateTime>),
): fc.Arbitrary<Render> {
  return dateTimeForm.map(
    (form) => (local: LocalDateTime) =>
      renderDateTime({ ...local, ...(typeof part === 'function' ? part(local) : part) }, form),
  );
}

function dayFirst({ year, month, day, hour, minute }: LocalDateTime): string {
  return `${digits(day, 2)}/${digits(month, 2)}/${year} ${digits(hour, 2)}:${digits(minute, 2)}`;
}

function epochSeconds(local: LocalDateTime): string {
  return String(Date.parse(`${withClock(renderDate(local), local)}Z`) / 1000);
}

function epochMilliseconds(local: LocalDateTime): string {
  return `${epochSeconds(local)}000`;
}

function oneDigitMonth(local: LocalDateTime): string {
  const { year, month, day } = oneDigitDateAfter(local);
  return withClock(`${year}-${month}-${digits(day, 2)}`, local);
}

function oneDigitDay(local: LocalDateTime): string {
  const { year, month, day } = oneDigitDateAfter(local);
  return withClock(renderShortDate({ year, month, day }).replace(/-(\d)-/, '-0$1-'), local);
}
