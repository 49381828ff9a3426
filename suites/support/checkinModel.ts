import { type Exchange, type OwnRecord, fc } from '../checks.ts';

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

/** What is known about one attempt. */
export interface Attempt {
  readonly record: OwnRecord;
  readonly madeBy: 0 | 1;
  /** Null after a step whose effect on it is open, until it is read. */
  readonly status: string | null;
  readonly complete: boolean | null;
  /** The rule that is broken if the next read is wrong: the one about the last change. */
  readonly blame: string;
  /** Ids of attempts of the same booking that had ended when it was subscribed anew. */
  readonly earlier?: readonly string[];
  /** The answer to its latest update. */
  readonly updated?: Exchange;
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

/** The attempts of two enterprises, by booking: each enterprise has its own attempt of the same booking. */
export class Attempts {
  readonly #attempts = new Map<string, Attempt>();

  get({ enterprise, booking }: Pick<Command, 'enterprise' | 'booking'>): Attempt | null {
    return this.#attempts.get(`${enterprise}/${booking}`) ?? null;
  }

  set({ enterprise, booking }: Pick<Command, 'enterprise' | 'booking'>, attempt: Attempt): void {
    this.#attempts.set(`${enterprise}/${booking}`, attempt);
  }

  of(enterprise: 0 | 1): readonly Attempt[] {
    return [...this.#attempts]
      .filter(([name]) => name.startsWith(`${enterprise}/`))
      .map(([, attempt]) => attempt);
  }

  /** Every attempt with the place that it has. */
  all(): readonly { readonly enterprise: 0 | 1; readonly booking: 0 | 1; readonly attempt: Attempt }[] {
    return ([0, 1] as const).flatMap((enterprise) =>
      ([0, 1] as const).flatMap((booking) => {
        const attempt = this.get({ enterprise, booking });
        return attempt ? [{ enterprise, booking, attempt }] : [];
      }),
    );
  }
}
