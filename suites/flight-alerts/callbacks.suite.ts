import { oracles, passive, suite } from '../checks.ts';

export default suite('Flight alerts: what every notification looks like', [
  passive('fla', oracles.flightNoticeRequest),
  passive('fla', oracles.flightNoticeKey),
  passive('fla', oracles.flightNoticeRecipient),
  passive('fla', oracles.owedNotices),
]);
