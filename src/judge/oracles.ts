import type { Oracle } from './kernel/oracle.ts';
import { acceptedBefore } from './shared/acceptedBefore.ts';
import { knownBookings } from './webcheckin/oracles/knownBookings.ts';
import { keyRefusals } from './shared/keyRefusals.ts';
import { callbackKeys } from './flightAlerts/oracles/callbackKeys.ts';
import { answers } from './shared/answers.ts';
import { flightAnswers } from './flightAlerts/oracles/flightAnswers.ts';
import { flightNotices } from './flightAlerts/oracles/flightNotices.ts';
import { knownFlights } from './flightAlerts/oracles/knownFlights.ts';
import { listRequest } from './webcheckin/oracles/listRequest.ts';
import { internalErrors } from './shared/internalErrors.ts';
import { keptLimits } from './shared/keptLimits.ts';
import { rateLimited } from './shared/rateLimited.ts';
import { recordForms } from './webcheckin/oracles/recordForms.ts';
import { recordHistory } from './webcheckin/oracles/recordHistory.ts';
import { stableCodes } from './shared/stableCodes.ts';
import { owedEvents } from './webcheckin/oracles/owedEvents.ts';
import { owedNotices } from './flightAlerts/oracles/owedNotices.ts';
import { uploads } from './webcheckin/oracles/uploads.ts';
import { webhookRequest } from './webcheckin/oracles/webhookRequest.ts';

/** Every passive oracle, in the order in which a report names them; no requirement is judged by two. */
export const oracles: readonly Oracle[] = [
  answers,
  internalErrors,
  stableCodes,
  acceptedBefore,
  keyRefusals,
  rateLimited,
  keptLimits,
  recordForms,
  recordHistory,
  knownBookings,
  uploads,
  listRequest,
  flightAnswers,
  knownFlights,
  callbackKeys,
  webhookRequest,
  owedEvents,
  flightNotices,
  owedNotices,
];
