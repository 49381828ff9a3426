import * as fc from 'fast-check';
import { checkinCallbackCorruptions } from './checkinCallbackCorruptions.ts';
import { drop, row, setTo, type Corruption, type Mutation } from '../kit/corruption.ts';
import { flightCorruptions } from '../flightAlerts/flightCorruptions.ts';
import { journeyCorruptions } from './journeyCorruptions.ts';
import { objectsAt, type JsonObject } from '../kit/json.ts';
import { passengerCorruptions } from './passengerCorruptions.ts';

/** Every certain way to break a web check-in subscribe, one rule at a time. */
export function subscribeCorruptions(now: number): readonly Corruption[] {
  return [
    ...listCorruptions('flights', ['WCI-SUB-024', 'WCI-SUB-025', 'WCI-SUB-026']),
    ...listCorruptions('passengers', ['WCI-SUB-027', 'WCI-SUB-028', 'WCI-SUB-029']),
    ...flightCorruptions,
    ...passengerCorruptions,
    ...checkinCallbackCorruptions,
    ...journeyCorruptions(now),
  ];
}

function listCorruptions(
  list: string,
  [missing, empty, shape]: readonly [string, string, string],
): readonly Corruption[] {
  return [
    row(missing, `absent-${list}`, drop(list)),
    row(missing, `null-${list}`, setTo(list, null)),
    row(empty, `empty-${list}`, setTo(list, [])),
    row(shape, `${list}-as-object`, firstElementOf(list)),
    // For JSON bodies only: in multipart bodies the list is text by design.
    row(shape, `${list}-as-text`, fc.oneof(setTo(list, 'x'), jsonTextOf(list))),
    row(shape, `${list}-of-null`, setTo(list, [null])),
    row(shape, `${list}-of-texts`, setTo(list, ['x'])),
    row(shape, `${list}-of-numbers`, setTo(list, [1])),
  ];
}

function firstElementOf(list: string): fc.Arbitrary<Mutation> {
  return fc.constant((body: JsonObject) => ({ ...body, [list]: objectsAt(body, list)[0] ?? {} }));
}

/** What a reader of parts would take for the list. */
function jsonTextOf(list: string): fc.Arbitrary<Mutation> {
  return fc.constant((body: JsonObject) => ({ ...body, [list]: JSON.stringify(objectsAt(body, list)) }));
}
