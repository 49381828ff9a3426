import { onceForEach } from '../../core/latest.ts';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Asked } from '../grammar/form.ts';
import { readForms, type Feature } from '../grammar/readForms.ts';
import { passengersPlace } from '../grammar/update.ts';

/** What an update makes of a booking. */
export type Change =
  | { readonly kind: 'pnr'; readonly pnr: string; readonly rules: readonly string[]; readonly asked: Asked }
  | {
      readonly kind: 'passengers';
      readonly passengers: readonly JsonObject[];
      readonly forms: readonly Feature[];
      readonly asked: Asked;
    };

/** What an accepted update changes; null where it can be read in several ways. */
export function changeOf({ body, carrier, answer }: Call): Change | null {
  if (body === null || carrier === 'unread') return null;
  const isJson = carrier === 'json';
  const asked: Asked = { operation: 'wci.update', carrier: isJson ? 'json' : 'multipart' };
  const forms = readForms(withoutLoose(body), asked);
  if (forms.some(({ kind, at }) => kind === 'fault' || (kind === 'open' && !at.includes('passengers'))))
    return null;
  if (
    isObject(answer) &&
    typeof answer.type === 'string' &&
    typeof body.type === 'string' &&
    answer.type !== body.type
  )
    return null;
  const payload = isObject(body.payload) ? body.payload : {};
  // Whether a part with the type is read is open: the answer says what it was.
  const isRead = isJson || (isObject(answer) && answer.type === 'pnr');
  if (body.type === 'pnr') return isRead ? changeOfPnr(body, payload, asked) : null;
  return changeOfPassengers(body, payload, { forms, asked });
}

/** A pnr at the top is not read. */
const withoutLoose = onceForEach(({ pnr, ...body }: JsonObject): JsonObject => body);

function changeOfPnr(body: JsonObject, payload: JsonObject, asked: Asked): Change | null {
  const isAlone = body.passengers === undefined && payload.passengers === undefined;
  if (!isAlone || typeof payload.pnr !== 'string') return null;
  const inParts = asked.carrier === 'multipart' ? ['WCI-UPD-018 in parts'] : [];
  const rules = body.pnr === undefined ? ['WCI-UPD-014'] : ['WCI-UPD-018', ...inParts];
  return { kind: 'pnr', pnr: payload.pnr, rules, asked };
}

function changeOfPassengers(
  body: JsonObject,
  payload: JsonObject,
  read: { readonly forms: readonly Feature[]; readonly asked: Asked },
): Change | null {
  const at = passengersPlace(body);
  // Without a type it is open what payload means.
  if (at === null || payload.pnr !== undefined || (body.type === undefined && at !== 'passengers'))
    return null;
  const passengers = at === 'passengers' ? body.passengers : payload.passengers;
  if (!areObjects(passengers)) return null;
  return { kind: 'passengers', passengers, ...read };
}

export function areObjects(value: Json | undefined): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && (value as readonly Json[]).every(isObject);
}
