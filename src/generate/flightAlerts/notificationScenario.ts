import * as fc from 'fast-check';
import { sequence } from '../kit/sequence.ts';

/** One step with a flight of two legs and two enterprises, as plain data. */
export type NotificationCommand =
  | {
      readonly do: 'subscribe';
      readonly leg: number;
      readonly who: number;
      /** The one callback that this enterprise has for this leg, or polling only. */
      readonly withCallback: boolean;
    }
  /** Upstream reports a new gate of the leg. */
  | { readonly do: 'change'; readonly leg: number };

const sinkFaults = ['500', '404', '503', '302', 'reset', 'close-early'] as const;

/** The first delivery to one of the callbacks fails in this way; the next one is taken. */
export interface SinkFault {
  readonly leg: number;
  readonly who: number;
  readonly fault: (typeof sinkFaults)[number];
}

export interface NotificationScenario {
  readonly commands: readonly NotificationCommand[];
  readonly fault: SinkFault | null;
}

const either = fc.constantFrom(0, 1);
const plain = { noNullPrototype: true } as const;

const command: fc.Arbitrary<NotificationCommand> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      {
        do: fc.constant('subscribe' as const),
        leg: either,
        who: either,
        withCallback: fc.constantFrom(true, true, false),
      },
      plain,
    ),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), leg: either }, plain) },
);

/** Scenes of so many commands, a third of them with a fault of the sink; they shrink to fewer commands and to no fault. */
export function notificationScenarios(length: number): fc.Arbitrary<NotificationScenario> {
  const fault = fc.record({ leg: either, who: either, fault: fc.constantFrom(...sinkFaults) }, plain);
  const sometimes = fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fault },
  );
  return fc.record({ commands: sequence(command, length), fault: sometimes }, plain);
}
