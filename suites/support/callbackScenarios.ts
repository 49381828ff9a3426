import { type Script, type ScriptedAnswer, accepting, answerStatus, fc } from '../checks.ts';

/** One step of a scene: plain data, so that a failing scene can be stored and sent again. */
export interface SceneStep {
  readonly do: 'subscribe' | 'replace' | 'read' | 'progress';
  /** Which of two bookings it is about, and whose it is. */
  readonly booking: 0 | 1;
  readonly enterprise: 0 | 1;
  /** For the first step about a booking: whether it registers a webhook. */
  readonly hooked: boolean;
  /** For `replace`: whether the passengers are complete. */
  readonly complete: boolean;
  /** For `progress`: where automation moves the record. */
  readonly to: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
}

/** How a delivery is answered before others are accepted. */
type Fault = '503' | '404' | '204' | 'reset' | 'close-early' | 'slow' | 'redirect';

/** The steps, and how the sink answers the deliveries of each booking. */
export interface Scenario {
  readonly steps: readonly SceneStep[];
  /** By enterprise and booking. */
  readonly faults: readonly (readonly (readonly Fault[])[])[];
}

/** Most steps of a scene. */
export const stepsPerScenario = 8;

/** The answers to a webhook: its faults, then acceptance. */
export function scriptOf([first, ...rest]: readonly Fault[]): Script {
  return first === undefined ? accepting : [answerOf(first), ...rest.map(answerOf), ...accepting];
}

function answerOf(fault: Fault): ScriptedAnswer {
  if (fault === 'reset' || fault === 'close-early') return { kind: fault };
  if (fault === 'slow') return answerStatus(200, { delayMs: 300 });
  // There is no redirect target: whether it is followed does not matter here.
  if (fault === 'redirect') return answerStatus(303);
  return answerStatus(Number(fault));
}

const step: fc.Arbitrary<SceneStep> = fc.record<SceneStep>(
  {
    do: fc.constantFrom('progress', 'subscribe', 'progress', 'replace', 'read', 'progress'),
    // Most steps are about one record, so that it changes several times.
    booking: fc.constantFrom(0, 0, 0, 0, 1),
    enterprise: fc.constantFrom(0, 0, 0, 0, 1),
    hooked: fc.constantFrom(true, true, true, false),
    complete: fc.boolean(),
    to: fc.constantFrom('IN_PROGRESS', 'COMPLETED', 'FAILED'),
  },
  { noNullPrototype: true },
);

const fault = fc.constantFrom<Fault>('503', '404', '204', 'reset', 'close-early', 'slow', 'redirect');
const faults = fc.oneof(
  { weight: 2, arbitrary: fc.constant<readonly Fault[]>([]) },
  { weight: 1, arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }) },
);
const pair = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 2, maxLength: 2 });

const anyScenario: fc.Arbitrary<Scenario> = fc.record<Scenario>(
  {
    steps: fc.array(step, { minLength: 3, maxLength: stepsPerScenario, size: 'max' }),
    faults: pair(pair(faults)),
  },
  { noNullPrototype: true },
);

/** Shrinks by leaving out steps, first halves and late ones, and then faults: each attempt costs requests. */
class Scenes extends fc.Arbitrary<Scenario> {
  generate(random: fc.Random): fc.Value<Scenario> {
    return new fc.Value<Scenario>(anyScenario.generate(random, undefined).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is Scenario {
    return typeof value === 'object' && value !== null && 'steps' in value;
  }

  shrink(scene: Scenario): fc.Stream<fc.Value<Scenario>> {
    return fc.stream(smaller(scene)).map((one) => new fc.Value(one, undefined));
  }
}

export const scenes: fc.Arbitrary<Scenario> = new Scenes();

function* smaller({ steps, faults: all }: Scenario): Generator<Scenario> {
  const half = Math.ceil(steps.length / 2);
  if (steps.length > 2)
    for (const some of [steps.slice(0, half), steps.slice(half)]) yield { steps: some, faults: all };
  for (let at = steps.length - 1; at >= 0 && steps.length > 1; at -= 1)
    yield { steps: steps.toSpliced(at, 1), faults: all };
  if (all.flat(2).length === 0) return;
  yield { steps, faults: all.map((own) => own.map(() => [])) };
  for (const [enterprise, own] of all.entries())
    for (const [booking, some] of own.entries())
      if (some.length > 0) yield { steps, faults: all.with(enterprise, own.with(booking, some.slice(1))) };
}
