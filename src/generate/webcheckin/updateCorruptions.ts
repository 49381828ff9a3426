import * as fc from 'fast-check';
import { inElement, row, setTo, type Corruption, type Mutation } from '../kit/corruption.ts';
import { isJsonObject, objectsAt, without, type JsonObject } from '../kit/json.ts';
import { passengerFaults } from './passengerCorruptions.ts';

/**
 * Every certain way to break a web check-in update. The valid body has an identifier and passengers, at the top or in
 * payload, or type pnr with payload.pnr; what the fault does not concern is kept.
 */
export const updateCorruptions: readonly Corruption[] = [
  row(
    'WCI-UPD-007',
    'no-identifier',
    changed((body) => without(body, 'checkin_id', 'webcheckin_id', 'booking_id')),
  ),
  pnrRow('WCI-UPD-015', 'pnr-without-payload', {}),
  pnrRow('WCI-UPD-015', 'pnr-with-empty-payload', { payload: {} }),
  pnrRow('WCI-UPD-015', 'pnr-null', { payload: { pnr: null } }),
  pnrRow('WCI-UPD-016', 'pnr-empty', { payload: { pnr: '' } }),
  pnrRow('WCI-UPD-017', 'pnr-at-top-level', { pnr: 'GTCHK1' }),
  row('WCI-UPD-020', 'type-unknown', setTo('type', 'flights', 'booking', 'callback')),
  // Comparing loosely takes true for any text.
  row('WCI-UPD-020', 'type-true', setTo('type', true)),
  row('WCI-UPD-022', 'operation-unknown', setTo('operation', 'delete', 'replace', 'add')),
  row(
    'WCI-UPD-023',
    'passengers-empty',
    changed((body) => ({ ...envelope(body), passengers: [] })),
  ),
  row(
    'WCI-UPD-023',
    'payload-passengers-empty',
    changed((body) => ({ ...envelope(body), type: 'passengers', payload: { passengers: [] } })),
  ),
  row(
    'WCI-UPD-024',
    'type-without-passengers',
    changed((body) => ({ ...envelope(body), type: 'passengers' })),
  ),
  ...passengerFaults.map(({ name, edit }) => ({
    ...row('WCI-UPD-025', name, inPassengers(edit)),
    applicable: (body: JsonObject) => holderOf(body) !== null,
  })),
];

function changed(change: (body: JsonObject) => JsonObject): fc.Arbitrary<Mutation> {
  return fc.constant(change);
}

function pnrRow(rule: string, name: string, members: JsonObject): Corruption {
  return row(
    rule,
    name,
    changed((body) => ({ ...envelope(body), type: 'pnr', ...members })),
  );
}

// Identifiers and operation: what an update has beside its subject.
function envelope(body: JsonObject): JsonObject {
  return without(body, 'type', 'passengers', 'payload', 'pnr');
}

function inPassengers(edit: fc.Arbitrary<Mutation>): fc.Arbitrary<Mutation> {
  return inElement('passengers', edit).map((change) => (body: JsonObject) => {
    const { payload } = body;
    if (holderOf(body) === 'payload' && isJsonObject(payload)) return { ...body, payload: change(payload) };
    return change(body);
  });
}

function holderOf(body: JsonObject): 'top' | 'payload' | null {
  if (objectsAt(body, 'passengers').length > 0) return 'top';
  return isJsonObject(body.payload) && objectsAt(body.payload, 'passengers').length > 0 ? 'payload' : null;
}
