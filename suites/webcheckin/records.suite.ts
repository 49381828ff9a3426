import { oracles, passive, suite } from '../checks.ts';

export default suite('Check-in request (attempt)', [
  passive('wci', oracles.recordForms),
  passive('wci', oracles.recordHistory),
  passive('wci', oracles.knownBookings),
  passive('wci', oracles.uploads),
]);
