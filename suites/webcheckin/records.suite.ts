import { oracles, passive, suite } from '../checks.ts';

export default suite('Check-in request (attempt)', [
  passive('wci', oracles.subscribeAnswer),
  passive('wci', oracles.updateAnswer),
  passive('wci', oracles.recordShape),
  passive('wci', oracles.recordStates),
  passive('wci', oracles.ownRecords),
  passive('wci', oracles.knownBookings),
  passive('wci', oracles.refusedBookings),
  passive('wci', oracles.validInputs),
  passive('wci', oracles.sameReadiness),
  passive('wci', oracles.recordIdentity),
]);
