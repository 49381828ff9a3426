import * as fc from 'fast-check';
import { sequence } from '../kit/sequence.ts';

/** One step with a flight of two legs, as plain data: numbers stand for legs, addresses and fids of the case. */
export type SubscriptionCommand =
  | {
      readonly do: 'subscribe';
      readonly leg: number;
      readonly callback: CommandCallback | 'absent' | null;
    }
  /** A callback that must be refused. */
  | { readonly do: 'fault'; readonly leg: number; readonly fault: 'number-fid' | 'http-url' }
  | { readonly do: 'lookup' };

interface CommandCallback {
  readonly url: number;
  readonly fid: number;
}

const either = fc.constantFrom(0, 1);
const callback: fc.Arbitrary<CommandCallback | 'absent' | null> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ url: either, fid: either }, { noNullPrototype: true }) },
  { weight: 1, arbitrary: fc.constantFrom('absent' as const, null) },
);

const command: fc.Arbitrary<SubscriptionCommand> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      { do: fc.constant('subscribe' as const), leg: either, callback },
      { noNullPrototype: true },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        do: fc.constant('fault' as const),
        leg: either,
        fault: fc.constantFrom('number-fid' as const, 'http-url' as const),
      },
      { noNullPrototype: true },
    ),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'lookup' as const }) },
);

/** Sequences of so many commands, which shrink to shorter ones. */
export function subscriptionCommands(length: number): fc.Arbitrary<readonly SubscriptionCommand[]> {
  return sequence(command, length);
}
