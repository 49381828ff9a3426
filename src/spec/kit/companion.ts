import { isJsonObject, objectsAt, textAt, type JsonObject } from './json.ts';

/** Another passenger with the same data but a name and a passport number of its own. */
export function companionOf(passenger: JsonObject): JsonObject {
  const { passport } = passenger;
  return {
    ...passenger,
    first_name: `${textAt(passenger, 'first_name')}-Deux`,
    ...(isJsonObject(passport) ? { passport: withOwnNumber(passport) } : {}),
  };
}

/** The body with two passengers or more. */
export function withCompanion(body: JsonObject): JsonObject {
  const passengers = objectsAt(body, 'passengers');
  const [first] = passengers;
  return passengers.length > 1 || first === undefined
    ? body
    : { ...body, passengers: [first, companionOf(first)] };
}

function withOwnNumber(passport: JsonObject): JsonObject {
  return typeof passport.number === 'string' ? { ...passport, number: `${passport.number}2` } : passport;
}
