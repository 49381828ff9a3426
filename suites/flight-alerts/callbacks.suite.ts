import { passive, suite } from '../../src/engine/suite.ts';
import { flightNoticeKey } from '../../src/judge/flightAlerts/oracles/flightNoticeKey.ts';
import { flightNoticeRecipient } from '../../src/judge/flightAlerts/oracles/flightNoticeRecipient.ts';
import { flightNoticeRequest } from '../../src/judge/flightAlerts/oracles/flightNoticeRequest.ts';

export default suite('Flight alerts: what every notification looks like', [
  passive('fla', flightNoticeRequest),
  passive('fla', flightNoticeKey),
  passive('fla', flightNoticeRecipient),
]);
