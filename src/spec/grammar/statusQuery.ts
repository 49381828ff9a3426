import { without, type JsonObject } from '../kit/json.ts';
import { always } from '../kit/mutation.ts';
import { fault, isObject, type Form, type Table } from './form.ts';

/** The query of a status. */
export const statusTable: Table = {
  checkin_id: { forms: [], shape: { types: ['string'] } },
  checkinId: { forms: [], shape: { types: ['string'], point: 'WCI-OPN-037' } },
};
const names = Object.keys(statusTable);

/** The forms of the query as a whole: it names a check-in, under this name or its alias. What an empty value is, is open. */
export const statusForms: readonly Form[] = [
  {
    ...fault(
      'WCI-STS-010',
      'booking_id-alone',
      (query) => isObject(query) && 'booking_id' in query && names.every((name) => !(name in query)),
      always((query: JsonObject) => ({ ...without(query, ...names), booking_id: '1' })),
    ),
    about: 'booking_id',
  },
  {
    ...fault(
      'WCI-STS-003',
      'no-checkin_id',
      (query) => isObject(query) && names.every((name) => !(name in query)),
      always((query: JsonObject) => without(query, ...names)),
    ),
    about: 'checkin_id',
  },
];
