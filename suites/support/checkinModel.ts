import { type ApiKey, type JsonObject, type KeyChoice, type OwnRecord, fc } from '../checks.ts';
import { withKey } from './enterprises.ts';

/** One step of a sequence: plain data, so that a failing sequence can be stored and sent again. */
export interface Command {
  readonly do: 'subscribe' | 'replace' | 'read' | 'list' | 'intrude' | 'progress';
  /** Which of two bookings it is about. */
  readonly booking: 0 | 1;
  /** Which of two enterprises it belongs to, and which of its keys is used. */
  readonly enterprise: 0 | 1;
  readonly key: 0 | 1;
  /** For `replace`: whether the passengers are complete, and how the record is named. */
  readonly complete: boolean;
  readonly by: 'checkin_id' | 'webcheckin_id' | 'booking_id';
  /** For `progress`: where automation moves the attempt. */
  readonly to: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
}

/** The longest sequence. Every step sends one request. */
export const stepsPerSequence = 8;

const command: fc.Arbitrary<Command> = fc.record<Command>(
  {
    do: fc.constantFrom('read', 'subscribe', 'replace', 'replace', 'read', 'list', 'intrude', 'progress'),
    booking: fc.constantFrom(0, 0, 1),
    enterprise: fc.constantFrom(0, 0, 1),
    key: fc.constantFrom(0, 1),
    complete: fc.boolean(),
    by: fc.constantFrom('checkin_id', 'webcheckin_id', 'booking_id'),
    to: fc.constantFrom('IN_PROGRESS', 'COMPLETED', 'FAILED'),
  },
  { noNullPrototype: true },
);

const anySteps = fc.array(command, { minLength: 1, maxLength: stepsPerSequence, size: 'max' });

/** Shrinks by leaving out steps, first halves and late ones, since each attempt costs requests. */
class Sequences extends fc.Arbitrary<readonly Command[]> {
  generate(random: fc.Random, bias: number | undefined): fc.Value<readonly Command[]> {
    return new fc.Value<readonly Command[]>(anySteps.generate(random, bias).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is readonly Command[] {
    return Array.isArray(value);
  }

  shrink(steps: readonly Command[]): fc.Stream<fc.Value<readonly Command[]>> {
    return fc.stream(smaller(steps)).map((fewer) => new fc.Value(fewer, undefined));
  }
}

export const sequences: fc.Arbitrary<readonly Command[]> = new Sequences();

function* smaller(steps: readonly Command[]): Generator<readonly Command[]> {
  const half = Math.ceil(steps.length / 2);
  if (steps.length > 2) yield* [steps.slice(0, half), steps.slice(half)];
  for (let at = steps.length - 1; at >= 0 && steps.length > 1; at -= 1) yield steps.toSpliced(at, 1);
}

type Place = Pick<Command, 'enterprise' | 'booking'>;

/** The attempts of two enterprises, by booking: each enterprise has its own attempt of the same booking. */
export class Attempts {
  readonly #attempts = new Map<string, readonly [Place, OwnRecord]>();

  get({ enterprise, booking }: Place): OwnRecord | null {
    return this.#attempts.get(`${enterprise}/${booking}`)?.[1] ?? null;
  }

  set({ enterprise, booking }: Place, record: OwnRecord): void {
    this.#attempts.set(`${enterprise}/${booking}`, [{ enterprise, booking }, record]);
  }

  get places(): readonly Place[] {
    return [...this.#attempts.values()].map(([place]) => place);
  }
}

/** What a sequence runs against: the keys of two enterprises, and the bodies of two bookings. */
export interface ModelStage {
  readonly keys: readonly (readonly ApiKey[])[];
  readonly bodies: readonly JsonObject[];
  readonly attempts: Attempts;
}

/** The key that a step is sent with. */
export function keyFor({ keys }: ModelStage, { enterprise, key }: Command): KeyChoice {
  const chosen = keys[enterprise]?.[key];
  if (!chosen) throw new Error('two keys of each of two enterprises were to be made');
  return withKey(chosen);
}
