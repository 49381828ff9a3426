import { type JsonObject, isObject, without } from '../checks.ts';

/** A complete passenger without the email, then without a member of the passport: each is then missing, or was kept from before. */
export function leftOut(complete: JsonObject): readonly JsonObject[] {
  const passport = isObject(complete.passport) ? complete.passport : {};
  return [without(complete, 'email'), { ...complete, passport: without(passport, 'expiry_date') }];
}
