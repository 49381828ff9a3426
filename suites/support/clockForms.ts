import {
  type CheckContext,
  type DateTimeForm,
  type JsonObject,
  generate,
  isAccepted,
  subscribe,
  textAt,
} from '../checks.ts';
import { inFlights } from './checkin.ts';

interface FormRow {
  readonly rule: string;
  readonly name: string;
  readonly form: Partial<DateTimeForm>;
}

/** Each form of a clock that the documents tolerate. */
export const clockForms: readonly FormRow[] = generate.spellings;

/** Each pair of options of a form; which of them a validator forgets depends on the validator. */
export const clockPairs: readonly FormRow[] = [
  { name: 'minutes with Z', form: { time: 'minutes', suffix: 'Z' } as const },
  { name: 'minutes with an offset', form: { time: 'minutes', suffix: '+04:00' } as const },
  { name: 'a fraction with no offset at all', form: { time: '.5', suffix: '+00:00' } as const },
  { name: 'minutes with a short offset', form: { time: 'minutes', suffix: '-0500' } as const },
  { name: 'minutes after a space', form: { separator: ' ', time: 'minutes', spacesAfter: 1 } as const },
  { name: 'a fraction with Z', form: { time: '.123', suffix: 'Z' } as const },
  { name: 'a fraction with an offset', form: { time: '.5', suffix: '-05:00', spacesBefore: 2 } as const },
  { name: 'a fraction after a space', form: { separator: ' ', time: '.25', suffix: '+0545' } as const },
  { name: 'Z after a space', form: { separator: ' ', suffix: 'Z', spacesAfter: 2 } as const },
  { name: 'an offset after a space', form: { separator: ' ', suffix: '+04:00' } as const },
].map((row) => ({ rule: 'WCI-DT-010', ...row }));

/** A departure and an arrival that carry several forms at once. */
const together = {
  departure: { separator: ' ', time: 'minutes', spacesBefore: 1, spacesAfter: 1 },
  arrival: { time: '.5', suffix: '+0400' },
} as const satisfies Readonly<Record<string, Partial<DateTimeForm>>>;

/** The rules of forms that `withClockForms` carries. */
export const clockRules: readonly string[] = [
  ...['WCI-DT-002', 'WCI-DT-003', 'WCI-DT-004', 'WCI-DT-008', 'WCI-DT-009'],
  ...['WCI-DT-010', 'WCI-DT-022'],
];

/** The body with clocks in several of these forms at once. */
export function withClockForms(body: JsonObject): JsonObject {
  return withClocks(body, together.departure, together.arrival);
}

/**
 * One form after another, so that a finding names the refused one; a repeat is refused only because of it and costs nothing.
 * Returns whether all are accepted together.
 */
export async function sendClocksApart(t: CheckContext): Promise<boolean> {
  const { body } = await t.fixtures.completeRecord();
  const isTaken = async (sent: JsonObject) => isAccepted(await t.send(subscribe(sent)));
  if (await isTaken(withClockForms(body))) return true;
  const carried = [...clockForms, ...clockPairs].filter(({ rule }) => clockRules.includes(rule));
  const refused: string[] = [];
  await t.each(carried, async ({ name, form }) => {
    if (!(await isTaken(withClocks(body, form)))) refused.push(name);
  });
  // A form that is refused alone is refused with others, and in an arrival.
  if (refused.length > 0) return false;
  await isTaken(withClocks(body, together.departure));
  await isTaken(withClocks(body, {}, together.arrival));
  return false;
}

/** The body with every departure, and every arrival, in a form. */
export function withClocks(
  body: JsonObject,
  departure: Partial<DateTimeForm>,
  arrival: Partial<DateTimeForm> = {},
): JsonObject {
  return inFlights(body, (flight) => ({
    ...flight,
    departure_datetime: inForm(textAt(flight, 'departure_datetime'), departure),
    arrival_datetime: inForm(textAt(flight, 'arrival_datetime'), arrival),
  }));
}

function inForm(clock: string, form: Partial<DateTimeForm>): string {
  return generate.renderDateTime(generate.parseLocal(clock), { ...generate.preferredForm, ...form });
}
