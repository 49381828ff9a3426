import type { Oracle } from '../oracle.ts';
import { callbackKeys } from './callbackKeys.ts';
import { errorCodes } from './errorCodes.ts';
import { errorContext } from './errorContext.ts';
import { errorEnvelope } from './errorEnvelope.ts';
import { flightSubscribe } from './flightSubscribe.ts';
import { listAnswer } from './listAnswer.ts';
import { listRequest } from './listRequest.ts';
import { lookupAnswer } from './lookupAnswer.ts';
import { lookupPrivacy } from './lookupPrivacy.ts';
import { quotaSnapshot } from './quotaSnapshot.ts';
import { rateLimited } from './rateLimited.ts';
import { recordHistory } from './recordHistory.ts';
import { recordIdentity } from './recordIdentity.ts';
import { recordShape } from './recordShape.ts';
import { recordStates } from './recordStates.ts';
import { scoping } from './scoping.ts';
import { snapshot } from './snapshot.ts';
import { stableCodes } from './stableCodes.ts';
import { statusSet } from './statusSet.ts';
import { subscribeAnswer } from './subscribeAnswer.ts';
import { success } from './success.ts';
import { timestamps } from './timestamps.ts';
import { updateAnswer } from './updateAnswer.ts';

/** Every passive oracle, in the order in which a report names them; no requirement is judged by two. */
export const oracles: readonly Oracle[] = [
  statusSet,
  errorEnvelope,
  errorCodes,
  errorContext,
  stableCodes,
  rateLimited,
  success,
  subscribeAnswer,
  quotaSnapshot,
  updateAnswer,
  recordShape,
  recordStates,
  recordIdentity,
  recordHistory,
  timestamps,
  listAnswer,
  listRequest,
  scoping,
  lookupAnswer,
  lookupPrivacy,
  snapshot,
  flightSubscribe,
  callbackKeys,
];
