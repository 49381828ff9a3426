import type { WebCheckinPolicy } from './policy.ts';
import type { Booking, Missing } from './policyTerms.ts';
import type { Leg, Passenger } from './records.ts';
import { findAirport } from '../data/airports.ts';
import { isDate } from '../shared/localTime.ts';
import { isMissing, isObject } from './inspection.ts';

/** What a booking lacks (Passport, international readiness; Passenger, email; POST subscribe, pnr). */
export function findMissing(booking: Booking, policy: WebCheckinPolicy): readonly Missing[] {
  const international = isInternational(booking.legs, policy);
  const found: Missing[] = [];
  if (!policy.isPnr(booking.pnr)) found.push({ rule: 'pnr', field: 'pnr', passenger: null });
  if (!hasEmail(booking.passengers, policy)) found.push({ rule: 'email', field: 'email', passenger: null });
  booking.passengers.forEach((passenger, index) => {
    if (policy.missingNames === 'recorded') found.push(...missingNames(passenger, index));
    if (international) found.push(...missingPassport(passenger, index, policy));
    found.push(...missingExtras(passenger, index, policy));
  });
  return found.filter((missing) => policy.needs(missing.rule, missing.passenger ?? 0, booking));
}

function isInternational(legs: readonly Leg[], policy: WebCheckinPolicy): boolean {
  const country = (code: string) => findAirport(code)?.country;
  return policy.isInternational(legs.map((leg) => [country(leg.origin), country(leg.destination)]));
}

function hasEmail(passengers: readonly Passenger[], policy: WebCheckinPolicy): boolean {
  return policy.emailRule(
    passengers.map(({ email }) => typeof email === 'string' && policy.isEmail(email)),
    passengers.map(({ email }) => !isMissing(email)),
  );
}

function missingNames(passenger: Passenger, index: number): readonly Missing[] {
  return ['first_name', 'last_name']
    .filter((field) => isBlank(passenger[field]))
    .map((field) => ({ rule: 'name', field, passenger: index }));
}

function missingPassport(passenger: Passenger, index: number, policy: WebCheckinPolicy): readonly Missing[] {
  const passport = isObject(passenger.passport) ? passenger.passport : {};
  if (policy.scanReplacesPassport(passport)) return [];
  const missing: Missing[] = (['number', 'date_of_issue', 'expiry_date', 'place_of_issue'] as const)
    .filter((field) => isBlank(passport[field]) || isMissingDate(field, passport[field], policy))
    .map((field) => ({ rule: `passport.${field}`, field: `passport.${field}`, passenger: index }));
  if (isBlank(policy.nationalityOf(passport.nationality, passenger.nationality)))
    missing.push({ rule: 'nationality', field: 'nationality', passenger: index });
  return missing;
}

/** Whether a malformed date is as good as none. */
function isMissingDate(field: string, value: unknown, { lenientTypes }: WebCheckinPolicy): boolean {
  return (
    lenientTypes === 'missing' &&
    field.includes('date') &&
    !(typeof value === 'string' && isDate(value.trim()))
  );
}

function missingExtras(passenger: Passenger, index: number, policy: WebCheckinPolicy): readonly Missing[] {
  return policy.furtherFields
    .filter((field) => isBlank(passenger[field]))
    .map((field) => ({ rule: 'extra', field, passenger: index }));
}

/** Absent, null, empty or of spaces. */
export function isBlank(value: unknown): boolean {
  return isMissing(value) || (typeof value === 'string' && value.trim() === '');
}
