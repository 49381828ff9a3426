import { invalid, Refusal } from '../shared/refusal.ts';
import type { FlightAlerts } from './context.ts';
import { cleanFlightNumber } from './flightNumber.ts';
import type { FlightPlace, FlightRule } from './policy.ts';

type Operation = FlightPlace['operation'];

/** Refuses a request unless `holds` or the policy lets the rule be. */
type Demand = (holds: boolean, rule: FlightRule, text: string) => void;

/** The demands on one value of a request. */
export function demanding(place: FlightPlace, { policy }: FlightAlerts): Demand {
  return (holds, rule, text) => {
    if (holds || !policy.enforcesFlight(rule, place)) return;
    if (policy.flightStatusOf(rule) === 400) throw invalid(text);
    throw new Refusal(422, 'VALIDATION_ERROR', text);
  };
}

/** The cleaned flight number (GET flight-alerts, flightNumber). */
export function readFlightNumber(value: unknown, operation: Operation, service: FlightAlerts): string {
  const demand = demanding({ operation, field: 'flightNumber', value }, service);
  const given = typeof value === 'string' && value !== '';
  demand(given, 'flightNumber.required', 'flightNumber is required and must be a string.');
  const text = String(value);
  const cleaned = cleanFlightNumber(text, service.policy.cleaning(operation));
  demand(cleaned !== null, 'flightNumber.grammar', 'flightNumber is not a flight number.');
  return cleaned ?? text.toUpperCase();
}

/** The departure date, today or later in UTC (GET flight-alerts, departureDate). */
export function readDate(value: unknown, operation: Operation, service: FlightAlerts): string {
  const demand = demanding({ operation, field: 'departureDate', value }, service);
  const { policy, clock } = service;
  const given = typeof value === 'string' && value !== '';
  demand(given, 'date.required', 'departureDate is required and must be a string.');
  const date = String(value);
  demand(/^\d{4}-\d{2}-\d{2}$/.test(date), 'date.format', 'departureDate must be YYYY-MM-DD.');
  demand(isRealDate(date), 'date.calendar', 'departureDate does not exist.');
  demand(!date.endsWith('-02-29'), 'date.leapDay', 'departureDate is a leap day.');
  const today = policy.today(clock.now());
  demand(date >= today, 'date.past', 'departureDate lies in the past.');
  const ahead = (Date.parse(date) - Date.parse(today)) / 86_400_000;
  if (policy.horizonDays !== null && ahead > policy.horizonDays)
    throw invalid('departureDate is too far ahead.');
  return date;
}

/** An airport code, trimmed and in upper case (POST subscribe). */
export function readAirport(value: unknown, field: string, service: FlightAlerts): string {
  const demand = demanding({ operation: 'subscribe', field, value }, service);
  demand(typeof value === 'string', 'airport.required', `${field} is required and must be a string.`);
  const code = service.policy.cleanAirport(String(value), field);
  demand(/^[A-Z]{3}$/.test(code), 'airport.letters', `${field} must be three letters.`);
  return code;
}

function isRealDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
