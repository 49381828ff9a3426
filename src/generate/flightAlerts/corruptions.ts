import { flightSubscribeTable, lookupTable } from '../../spec/grammar/flightSubscribe.ts';
import { textOf } from '../../spec/grammar/form.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { corruptionsOf, isFaultOrDoubtful, type Corruption } from '../kit/corruption.ts';

/** The query of a lookup; a list stands for a parameter that is sent repeatedly. */
export type LookupQuery = Readonly<Record<string, string | readonly string[]>>;

/** Every certain way to break a lookup, one rule at a time, and what the catalogue has refused as the likelier reading. */
export function lookupCorruptions(now: number): readonly Corruption<LookupQuery>[] {
  return corruptionsOf(lookupTable(now), isFaultOrDoubtful).map(({ apply, ...rest }) => ({
    ...rest,
    apply: apply.map((change) => (query: LookupQuery) => parametersOf(change(query))),
    applicable: () => true,
  }));
}

/** The same for a flight subscribe. */
export function flightSubscribeCorruptions(now: number): readonly Corruption[] {
  return corruptionsOf(flightSubscribeTable(now), isFaultOrDoubtful);
}

function parametersOf(query: JsonObject): LookupQuery {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(textOf) : textOf(value),
    ]),
  );
}
