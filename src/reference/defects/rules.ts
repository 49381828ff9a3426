import type { FlightAlertsPolicy, FlightPlace, FlightRule } from '../flightAlerts/policy.ts';
import { documentedFlightRules } from '../flightAlerts/documented.ts';
import { type WebCheckinPolicy } from '../webcheckin/policy.ts';
import type { Place, JourneyRule, Booking, ReadinessRule, Reading } from '../webcheckin/policyTerms.ts';
import { payloadRules, type PayloadRule } from '../webcheckin/payloadRules.ts';
import { documentedJourneyRules } from '../webcheckin/documented.ts';

const everywhere = () => true;

/** Does not enforce a payload rule, at all or where `when` holds. */
export function skipping(
  rule: PayloadRule,
  when: (place: Place) => boolean = everywhere,
): WebCheckinPolicy['enforces'] {
  return (one, place) => (one === rule && when(place) ? false : payloadRules[one]);
}

/** Enforces a payload rule that the documents do not state. */
export function alsoEnforcing(
  rule: PayloadRule,
  when: (place: Place) => boolean = everywhere,
): WebCheckinPolicy['enforces'] {
  return (one, place) => (one === rule && when(place)) || payloadRules[one];
}

/** Shows the records of all enterprises where `when` holds. */
export function openTo(when: (reading: Reading) => boolean): WebCheckinPolicy['sees'] {
  return (attempt, { enterprise }, reading) => when(reading) || attempt.enterprise === enterprise;
}

/** Shows a key only what was made with it, where `when` holds. */
export function ofTheKey(when: (reading: Reading) => boolean): WebCheckinPolicy['sees'] {
  return (attempt, { enterprise, apiKey }, reading) =>
    attempt.enterprise === enterprise && (!when(reading) || attempt.apiKey === apiKey);
}

/** Does not judge a journey rule, at all or for some legs. */
export function withoutJudging(
  rule: JourneyRule,
  when: (index: number) => boolean = everywhere,
): WebCheckinPolicy['judges'] {
  return (one, index) => !(one === rule && when(index)) && documentedJourneyRules(one, index);
}

/** Does not need something for readiness, at all or of some passengers. */
export function unneeded(
  rule: ReadinessRule,
  when: (passenger: number, booking: Booking) => boolean = everywhere,
): WebCheckinPolicy['needs'] {
  return (one, passenger, booking) => !(one === rule && when(passenger, booking));
}

/** Does not enforce rules of flight alerts, at all or where `when` holds. */
export function lenient(
  rules: readonly FlightRule[],
  when: (place: FlightPlace) => boolean = everywhere,
): FlightAlertsPolicy['enforcesFlight'] {
  return (rule, place) => documentedFlightRules(rule) && !(rules.includes(rule) && when(place));
}
