import { textAt, without, type JsonObject } from '../kit/json.ts';
import { always, mapped, oneOf, type Make } from '../kit/mutation.ts';
import { renderDate } from '../kit/localTime.ts';
import { parseLocal, preferredForm, renderDateTime, type DateTimeForm } from './clockSpelling.ts';
import { isRealDay, readClock, spellingsOf, type WrittenClock } from './clockText.ts';
import {
  dayFirst,
  dayZero,
  epochSeconds,
  freeText,
  full,
  inForms,
  manyDigits,
  monthZero,
  noDay,
  on,
  oneDigitDay,
  oneDigitMonth,
  plain,
  withFraction,
  withPart,
  withSecond,
  withTime,
  type Render,
  type Several,
} from './clockTexts.ts';
import { isText, type Form } from './form.ts';

/** A way to write a flight clock, made from a wall clock that would be valid. */
interface ClockForm extends Pick<Form, 'name' | 'kind' | 'rule' | 'refusal'> {
  readonly fits: (clock: WrittenClock) => boolean;
  readonly text: Make<Render>;
}

type Fits = ClockForm['fits'];
type Time = NonNullable<WrittenClock['time']>;

const text =
  (pattern: RegExp): Fits =>
  (clock) =>
    pattern.test(clock.text);
const date =
  (has: (month: string, day: string) => boolean): Fits =>
  (clock) =>
    clock.date !== null && has(clock.date[1], clock.date[2]);
const time =
  (has: (written: Time) => boolean): Fits =>
  (clock) =>
    clock.time !== null && has(clock.time);
const end = (pattern: RegExp) => time((written) => pattern.test(written.suffix));

/** Every form that is not the preferred one, in the order in which a clock is read. */
const forms: readonly ClockForm[] = [
  wrong('WCI-DT-016', 'empty', text(/^$/), () => ''),
  // What parsers of many languages take for a date as well.
  wrong('WCI-DT-016', 'slashes', text(/^\s*\d{4}\/\d/), (at) => on(renderDate(at).replaceAll('-', '/'), at)),
  wrong('WCI-DT-016', 'day-first', text(/^\s*\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/), dayFirst),
  wrong('WCI-DT-016', 'epoch-digits', text(/^\s*\d+\s*$/), epochSeconds, (at) => `${epochSeconds(at)}000`),
  wrong('WCI-DT-016', 'free-text', (clock) => clock.date === null, freeText),
  wrong(
    'WCI-DT-017',
    'one-digit-month',
    date((month) => month.length === 1),
    oneDigitMonth,
  ),
  wrong(
    'WCI-DT-017',
    'one-digit-day',
    date((_, day) => day.length === 1),
    oneDigitDay,
  ),
  wrong(
    'WCI-DT-018',
    'month-00',
    date((month) => month === '00'),
    inForms(monthZero),
  ),
  wrong(
    'WCI-DT-018',
    'month-13',
    date((month) => Number(month) > 12),
    inForms(withPart({ month: 13 })),
  ),
  wrong(
    'WCI-DT-018',
    'day-00',
    date((_, day) => day === '00'),
    inForms(dayZero),
  ),
  wrong('WCI-DT-018', 'nonexistent-day', (clock) => clock.date !== null && !isRealDay(clock), noDay),
  wrong('WCI-DT-015', 'date-only', ({ rest }) => rest.trim() === '', renderDate),
  wrong(
    'WCI-DT-016',
    'other-separator',
    (clock) => clock.time === null,
    (at) => full(at).replace('T', '_'),
  ),
  wrong(
    'WCI-DT-017',
    'one-digit-hour',
    time(({ hour }) => hour.length !== 2),
    withTime('9:05', '9:05:00'),
  ),
  wrong(
    'WCI-DT-017',
    'one-digit-minute',
    time(({ minute }) => minute.length !== 2),
    withTime('10:5', '10:5:00'),
  ),
  wrong(
    'WCI-DT-020',
    'hour-25',
    time(({ hour }) => Number(hour) > 24),
    inForms(withPart({ hour: 25, minute: 0 })),
  ),
  wrong(
    'WCI-DT-020',
    'minute-60',
    time(({ minute }) => Number(minute) > 59),
    inForms(withPart({ minute: 60 })),
  ),
  wrong(
    'WCI-DT-020',
    'second-61',
    time(({ second }) => Number(second ?? 0) > 60),
    withSecond(61),
  ),
  wrong(
    'WCI-DT-005',
    'fraction-bare-dot',
    time(({ fraction }) => fraction === ''),
    withFraction(always('')),
  ),
  wrong('WCI-DT-005', 'fraction-too-long', time(hasLongFraction), withFraction(manyDigits)),
  wrong('WCI-DT-016', 'zone-name', end(/^ [A-Z]{3,4}$/), (at) => `${full(at)} GMT`),
  // Where the document is silent (WCI-OPN-036).
  corner(
    null,
    'no-break-space-before',
    ({ around }) => /[^ \t\r\n]/.test(around),
    (at) => `\u00a0${plain(at)}`,
  ),
  corner(
    null,
    'hour-24',
    time(({ hour }) => hour === '24'),
    withTime('24:00'),
  ),
  corner(
    null,
    'second-60',
    time(({ second }) => second !== null && !/^[0-5]\d$/.test(second)),
    withSecond(60),
  ),
  corner(
    'WCI-DT-034',
    'lower-case-t',
    time(({ separator }) => separator === 't'),
    (at) => plain(at).replace('T', 't'),
  ),
  corner('WCI-DT-034', 'lower-case-z', end(/^z$/), (at) => `${plain(at)}z`),
  corner(null, 'fraction-without-seconds', time(hasFractionAlone), (at) => `${plain(at).slice(0, 16)}.5`),
  corner('WCI-DT-034', 'offset-hours-only', end(/^[+-]\d\d$/), (at) => `${plain(at)}+04`),
  corner(null, 'space-before-suffix', end(/^\s+\S/), (at) => `${plain(at)} +04:00`),
  corner(null, 'offset-minute-out-of-range', end(/^[+-]\d\d:?[6-9]\d$/), (at) => `${plain(at)}+04:60`),
  // And whatever else may end a clock.
  corner(
    null,
    'offset-hour-out-of-range',
    time((one) => !offset.test(one.suffix)),
    (at) => `${plain(at)}+25:00`,
  ),
  allowed(
    'WCI-DT-033',
    'tabs-around',
    ({ around }) => around.startsWith('\t'),
    (at) => `\t${plain(at)}\t`,
  ),
  allowed(
    'WCI-DT-033',
    'newline-after',
    ({ around }) => /[\t\r\n]/.test(around),
    (at) => `${plain(at)}\n`,
  ),
  allowed(
    'WCI-DT-010',
    'clock-combination',
    (clock) => spellingsOf(clock).length > 1,
    (at) => `${plain(at)}Z `,
  ),
  spelled('WCI-DT-002', 'space', { separator: ' ' }),
  spelled('WCI-DT-003', 'minutes', { time: 'minutes' }),
  spelled('WCI-DT-004', 'fraction', { time: '.05' }),
  spelled('WCI-DT-006', 'z', { suffix: 'Z' }),
  spelled('WCI-DT-007', 'colon', { suffix: '+04:00' }),
  spelled('WCI-DT-008', 'offset', { suffix: '-0400' }),
  spelled('WCI-DT-009', 'around', { spacesBefore: 2, spacesAfter: 1 }),
];

/** A lenient reader takes it for a later date, which only the last leg of a trip can have. */
const isLater = (name: string) => /^(one-digit-(month|day)|(month|day)-00|nonexistent-day)$/.test(name);

/** Spellings on which the document is silent, and white space that is to be tolerated. */
export const cornerForms: readonly Pick<ClockForm, 'name' | 'text'>[] = forms.filter(
  ({ kind, rule }) => kind === 'open' || rule === 'WCI-DT-033',
);

/** The three kinds of fault that the catalogue names for an arrival clock; what readers make of the others is open. */
const ofArrival: Readonly<Record<string, Fits>> = {
  'free-text': ({ date: day, time: clock, rest }) => day === null || (clock === null && rest.trim() !== ''),
  'date-only': ({ rest }) => rest.trim() === '',
  'fraction-too-long': time((clock) => clock.fraction === '' || hasLongFraction(clock)),
};

/** The forms of the texts of a departure. */
export const departureForms: readonly Form[] = forms.map((form) => onMember('departure_datetime', form));

/** The forms of the texts of an arrival; those of another shape are free text. */
export const arrivalForms: readonly Form[] = forms
  .filter(({ name, rule }) => name in ofArrival || rule !== 'WCI-DT-016')
  .filter(({ name }) => name !== 'fraction-bare-dot')
  .map((form) => onMember('arrival_datetime', { ...asArrival(form), name: `arrival-${form.name}` }));

function asArrival(form: ClockForm): ClockForm {
  const fits = ofArrival[form.name];
  if (fits) return { ...form, fits, rule: 'WCI-DT-023', refusal: 'journey' };
  if (form.kind === 'fault')
    return { ...form, kind: 'open', rule: form.rule === 'WCI-DT-018' ? 'WCI-DT-031' : null };
  return form.kind === 'free' && !/^WCI-DT-0(10|33)$/.test(form.rule ?? '')
    ? { ...form, rule: 'WCI-DT-022' }
    : form;
}

function onMember(member: string, { name, kind, rule, refusal, fits, text: made }: ClockForm): Form {
  const later = isLater(name);
  const make = mapped(made, (render) => (flight: JsonObject) => {
    const written = render(parseLocal(textAt(flight, 'departure_datetime')));
    return { ...(later ? without(flight, 'arrival_datetime') : flight), [member]: written };
  });
  const own = (value: unknown) => isText(value) && fits(readClock(value));
  return { name, kind, rule, refusal, make, fits: own, ...(later ? { only: 'last' as const } : {}) };
}

/** A text of another shape is malformed; what else is wrong may be found by the step that reads the trip. */
function wrong(
  rule: string,
  name: string,
  fits: Fits,
  made: Render | Several,
  ...more: readonly Render[]
): ClockForm {
  const renders = typeof made === 'function' ? oneOf(made, ...more) : made.several;
  return {
    rule,
    name,
    kind: 'fault',
    refusal: rule === 'WCI-DT-016' ? 'payload' : 'journey',
    fits,
    text: renders,
  };
}

function corner(rule: string | null, name: string, fits: Fits, made: Render | Several): ClockForm {
  return { ...wrong('', name, fits, made), rule, kind: 'open' };
}

function allowed(rule: string, name: string, fits: Fits, made: Render | Several): ClockForm {
  return { ...wrong('', name, fits, made), rule, kind: 'free' };
}

/** One of the tolerated spellings alone. */
function spelled(rule: string, spelling: string, change: Partial<DateTimeForm>): ClockForm {
  const isAlone: Fits = (clock) => spellingsOf(clock)[0] === spelling;
  return allowed(rule, `clock-${spelling}`, isAlone, (at) =>
    renderDateTime(at, { ...preferredForm, ...change }),
  );
}

const offset = /^(Z|[+-](0\d|1[0-3]):?\d\d|[+-]14:?00)?$/;

function hasLongFraction({ fraction }: Time): boolean {
  return (fraction?.length ?? 0) > 3;
}

function hasFractionAlone({ second, fraction }: Time): boolean {
  return second === null && fraction !== null;
}
