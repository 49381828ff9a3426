import { always } from '../kit/mutation.ts';
import { isJsonObject, without, type JsonObject, type JsonValue } from '../kit/json.ts';
import { fault, type Form } from './form.ts';

const names = ['checkin_id', 'checkinId'] as const;

/** The forms of the query of a status as a whole: it names a check-in, under this name or its alias. What an empty value is, is open. */
export const statusForms: readonly Form[] = [
  {
    ...fault(
      'WCI-STS-003',
      'no-checkin_id',
      (query) => isJsonObject(query as JsonValue) && names.every((name) => !(name in (query as JsonObject))),
      always((query: JsonObject) => without(query, ...names)),
    ),
    about: 'checkin_id',
  },
];
