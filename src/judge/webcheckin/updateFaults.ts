import { isObject, type JsonObject } from '../kernel/body.ts';
import type { Fault } from './fault.ts';
import { passengersFault, type PassengerRules } from './passengerFaults.ts';

const ofUpdate: PassengerRules = {
  missing: null,
  empty: 'WCI-UPD-023',
  shape: 'WCI-UPD-048',
  ...{ name: 'WCI-UPD-025', passport: 'WCI-UPD-025', documents: 'WCI-UPD-025' },
  ...{ documentType: 'WCI-UPD-025', documentKind: 'WCI-UPD-025', seat: 'WCI-UPD-025' },
  ...{ row: 'WCI-UPD-025', column: 'WCI-UPD-025', later: 'WCI-UPD-025' },
};

/** The first fault for which no service may accept an update; null if there is none. Which of two lists is read is open. */
export function updateFault(body: JsonObject): Fault | null {
  const { type, operation, payload, passengers } = body;
  const fault = (at: string, requirement: string): Fault => ({ requirement, at, value: body[at] });
  const inner = isObject(payload) ? payload : {};
  if (typeof type === 'string' && !['passengers', 'pnr'].includes(type.trim().toLowerCase()))
    return fault('type', 'WCI-UPD-020');
  if (typeof operation === 'string' && operation.trim() !== '' && operation.trim().toLowerCase() !== 'update')
    return fault('operation', 'WCI-UPD-022');
  if (type === 'pnr') return pnrFault(inner, body);
  if (passengers !== undefined && inner.passengers !== undefined) return null;
  return (
    passengersFault(passengers, 'passengers', ofUpdate) ??
    passengersFault(inner.passengers, 'payload.passengers', ofUpdate)
  );
}

function pnrFault(payload: JsonObject, { passengers, pnr: outer }: JsonObject): Fault | null {
  // With passengers beside it, it may be read as an update of those.
  if (passengers !== undefined || payload.passengers !== undefined) return null;
  const { pnr } = payload;
  const fault = (requirement: string): Fault => ({ requirement, at: 'payload.pnr', value: pnr });
  if (pnr === undefined || pnr === null)
    return fault(typeof outer === 'string' ? 'WCI-UPD-017' : 'WCI-UPD-015');
  if (typeof pnr !== 'string') return fault('WCI-UPD-049');
  return pnr === '' ? fault('WCI-UPD-016') : null;
}
