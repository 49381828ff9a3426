/** The oracles that judge every exchange and callback of a run. */

export * from '../../src/judge/flightAlerts/oracles/callbackKeys.ts';
export * from '../../src/judge/flightAlerts/oracles/flightAnswers.ts';
export * from '../../src/judge/flightAlerts/oracles/flightNotices.ts';
export * from '../../src/judge/flightAlerts/oracles/knownFlights.ts';
export * from '../../src/judge/shared/acceptedBefore.ts';
export * from '../../src/judge/shared/internalErrors.ts';
export * from '../../src/judge/shared/keptLimits.ts';
export * from '../../src/judge/shared/keyRefusals.ts';
export * from '../../src/judge/webcheckin/oracles/knownBookings.ts';
export * from '../../src/judge/shared/answers.ts';
export * from '../../src/judge/shared/rateLimited.ts';
export * from '../../src/judge/shared/stableCodes.ts';
export * from '../../src/judge/webcheckin/oracles/listRequest.ts';
export * from '../../src/judge/webcheckin/oracles/recordForms.ts';
export * from '../../src/judge/webcheckin/oracles/recordHistory.ts';
export * from '../../src/judge/webcheckin/oracles/owedEvents.ts';
export * from '../../src/judge/flightAlerts/oracles/owedNotices.ts';
export * from '../../src/judge/webcheckin/oracles/uploads.ts';
export * from '../../src/judge/webcheckin/oracles/webhookRequest.ts';
