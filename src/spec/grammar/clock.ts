import { textAt, without, type JsonObject } from '../kit/json.ts';
import { always, mapped, oneOf, type Make } from '../kit/mutation.ts';
import { renderDate, type LocalDateTime } from '../kit/localTime.ts';
import { parseLocal, preferredForm, renderDateTime, spellings } from './clockSpelling.ts';
import {
  isRealDay,
  readClock,
  spellingsOf,
  type WrittenClock,
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
  inOtherDigits,
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
/** Fits a clock with a date like this. */
const date =
  (pattern: RegExp): Fits =>
  (clock) =>
    clock.date !== null && pattern.test(clock.date.join('-'));
/** Fits a clock with a part of its time like this; one that is left out is like nothing. */
const time =
  (part: keyof Time, pattern: RegExp): Fits =>
  (clock) =>
    pattern.test(clock.time?.[part] ?? '\0');
const around =
  (pattern: RegExp): Fits =>
  (clock) =>
    pattern.test(clock.around);
const hasNoRest: Fits = ({ rest }) => rest.trim() === '';
const plus = (end: string) => (at: LocalDateTime) => plain(at) + end;

/** Every form that is not the preferred one, in the order in which a clock is read. */
const forms: readonly ClockForm[] = [
  wrong('WCI-DT-016', 'empty', text(/^$/), () => ''),
  // What parsers of many languages take for a date as well.
  wrong('WCI-DT-016', 'slashes', text(/^\s*\d{4}\/\d/), (at) => on(renderDate(at).replaceAll('-', '/'), at)),
  wrong('WCI-DT-016', 'day-first', text(/^\s*\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/), dayFirst),
  wrong('WCI-DT-016', 'epoch-digits', text(/^\s*\d+\s*$/), epochSeconds, (at) => `${epochSeconds(at)}000`),
  wrong('WCI-DT-016', 'other-digits', text(/(?![0-9])\p{Nd}/u), inOtherDigits),
  wrong('WCI-DT-016', 'free-text', (clock) => clock.date === null, freeText),
  wrong('WCI-DT-017', 'one-digit-month', date(/-\d-/), oneDigitMonth),
  wrong('WCI-DT-017', 'one-digit-day', date(/-\d$/), oneDigitDay),
  wrong('WCI-DT-018', 'month-00', date(/-00-/), inForms(monthZero)),
  wrong('WCI-DT-018', 'month-13', date(/-(1[3-9]|[2-9]\d)-/), inForms(withPart({ month: 13 }))),
  wrong('WCI-DT-018', 'day-00', date(/-00$/), inForms(dayZero)),
  wrong('WCI-DT-018', 'nonexistent-day', (clock) => clock.date !== null && !isRealDay(clock), noDay),
  wrong('WCI-DT-015', 'date-only', hasNoRest, renderDate),
  wrong(
    'WCI-DT-016',
    'other-separator',
    ({ time: one }) => one === null,
    (at) => full(at).replace('T', '_'),
  ),
  wrong('WCI-DT-017', 'one-digit-hour', time('hour', /^\d(\d\d+)?$/), withTime('9:05', '9:05:00')),
  wrong('WCI-DT-017', 'one-digit-minute', time('minute', /^\d(\d\d+)?$/), withTime('10:5', '10:5:00')),
  wrong(
    'WCI-DT-020',
    'hour-25',
    time('hour', /^(2[5-9]|[3-9]\d)$/),
    inForms(withPart({ hour: 25, minute: 0 })),
  ),
  wrong('WCI-DT-020', 'minute-60', time('minute', /^[6-9]\d$/), inForms(withPart({ minute: 60 }))),
  wrong('WCI-DT-020', 'second-61', time('second', /^0*(6[1-9]|[7-9]\d|[1-9]\d\d+)$/), withSecond(61)),
  wrong('WCI-DT-005', 'fraction-bare-dot', time('fraction', /^$/), withFraction(always(''))),
  wrong('WCI-DT-005', 'fraction-too-long', time('fraction', /.{4}/), withFraction(manyDigits)),
  wrong('WCI-DT-016', 'zone-name', time('suffix', /^ [A-Z]{3,4}$/), (at) => `${full(at)} GMT`),
  // Where the document is silent (WCI-OPN-036).
  corner(null, 'no-break-space-before', around(/[^ \t\r\n]/), (at) => `\u00a0${plain(at)}`),
  corner(null, 'hour-24', time('hour', /^24$/), withTime('24:00')),
  corner(null, 'second-60', time('second', /^(?![0-5]\d$)\d/), withSecond(60)),
  corner('WCI-DT-034', 'lower-case-t', time('separator', /t/), (at) => plain(at).replace('T', 't')),
  corner('WCI-DT-034', 'lower-case-z', time('suffix', /^z$/), plus('z')),
  corner(null, 'fraction-without-seconds', hasFractionAlone, (at) => `${plain(at).slice(0, 16)}.5`),
  corner('WCI-DT-034', 'offset-hours-only', time('suffix', /^[+-]\d\d$/), plus('+04')),
  corner(null, 'space-before-suffix', time('suffix', /^\s+\S/), plus(' +04:00')),
  corner(null, 'offset-minute-out-of-range', time('suffix', /^[+-]\d\d:?[6-9]\d$/), plus('+04:60')),
  // And whatever else may end a clock.
  corner(
    null,
    'offset-hour-out-of-range',
    ({ time: one }) => !offset.test(one?.suffix ?? ''),
    plus('+25:00'),
  ),
  allowed('WCI-DT-033', 'tabs-around', around(/^\t/), (at) => `\t${plain(at)}\t`),
  allowed('WCI-DT-033', 'newline-after', around(/[\t\r\n]/), plus('\n')),
  allowed('WCI-DT-010', 'clock-combination', (clock) => spellingsOf(clock).length > 1, plus('Z ')),
  ...[...new Set(spellings.flatMap(({ trait }) => trait ?? []))].map(spelled),
];

/** The sentences about what a clock combines, and about the spellings of an arrival: whoever takes it takes each of them. */
export function combinedRules({ name, value }: { readonly name: string; readonly value: unknown }) {
  const isArrival = name.startsWith('arrival-');
  if (!isText(value) || !(isArrival || name.endsWith('clock-combination'))) return [];
  const traits = spellingsOf(readClock(value));
  const rules = spellings.flatMap(({ trait, rule }) =>
    trait !== null && traits.includes(trait) ? [rule] : [],
  );
  return isArrival && rules.length > 0 ? ['WCI-DT-022', ...rules] : rules;
}

/** A lenient reader takes it for a later date, which only the last leg of a trip can have. */
const isLater = (name: string) => /^(one-digit-(month|day)|(month|day)-00|nonexistent-day)$/.test(name);

/** Spellings on which the document is silent, and white space that is to be tolerated. */
export const cornerForms: readonly Pick<ClockForm, 'name' | 'text'>[] = forms.filter(
  ({ kind, rule }) => kind === 'open' || rule === 'WCI-DT-033',
);

/** The three kinds of fault that the catalogue names for an arrival clock; what readers make of the others is open. */
const ofArrival: Readonly<Record<string, Fits>> = {
  'free-text': ({ date: day, time: clock, rest }) => day === null || (clock === null && rest.trim() !== ''),
  'date-only': hasNoRest,
  'fraction-too-long': time('fraction', /^$|.{4}/),
};

/** The forms of the texts of a departure. */
export const departureForms: readonly Form[] = forms.map((form) => onMember('departure_datetime', form));

/** The forms of the texts of an arrival; those of another shape are free text. */
export const arrivalForms: readonly Form[] = forms
  .filter(({ name, rule }) => name in ofArrival || (rule !== 'WCI-DT-016' && name !== 'fraction-bare-dot'))
  .map((form) => onMember('arrival_datetime', { ...asArrival(form), name: `arrival-${form.name}` }));

function asArrival(form: ClockForm): ClockForm {
  const fits = ofArrival[form.name];
  if (fits) return { ...form, fits, rule: 'WCI-DT-023', refusal: 'journey' };
  if (form.kind === 'fault')
    return { ...form, kind: 'open', rule: form.rule === 'WCI-DT-018' ? 'WCI-DT-031' : null };
  const isOfBoth = form.kind === 'open' || /^WCI-DT-0(10|33)$/.test(form.rule ?? '');
  return isOfBoth ? form : { ...form, rule: 'WCI-DT-022' };
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
function wrong(rule: string, name: string, fits: Fits, ...made: readonly (Render | Several)[]): ClockForm {
  const [first, ...more] = made.flatMap((one) => (typeof one === 'function' ? [one] : []));
  const several = made.find((one) => typeof one === 'object')?.several;
  const refusal = rule === 'WCI-DT-016' ? 'payload' : 'journey';
  return { rule, name, kind: 'fault', refusal, fits, text: several ?? oneOf(first ?? (() => ''), ...more) };
}

function corner(rule: string | null, name: string, fits: Fits, made: Render | Several): ClockForm {
  return { ...wrong('', name, fits, made), rule, kind: 'open' };
}

function allowed(rule: string, name: string, fits: Fits, made: Render | Several): ClockForm {
  return { ...wrong('', name, fits, made), rule, kind: 'free' };
}

/** A tolerated spelling alone. */
function spelled(trait: string): ClockForm {
  const own = spellings.filter((one) => one.trait === trait);
  const renders = own.map(
    ({ form }): Render =>
      (at) =>
        renderDateTime(at, { ...preferredForm, ...form }),
  );
  const isAlone: Fits = (clock) => spellingsOf(clock)[0] === trait;
  return { ...wrong('', `clock-${trait}`, isAlone, ...renders), rule: own[0]?.rule ?? null, kind: 'free' };
}

const offset = /^(Z|[+-](0\d|1[0-3]):?\d\d|[+-]14:?00)?$/;

function hasFractionAlone({ time: one }: WrittenClock): boolean {
  return one !== null && one.second === null && one.fraction !== null;
}
