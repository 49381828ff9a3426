import { oracles, passive, suite } from '../checks.ts';

export default suite('Flight alerts: what every notification looks like', [
  passive('fla', oracles.flightNotices),
  passive('fla', oracles.owedNotices),
]);
