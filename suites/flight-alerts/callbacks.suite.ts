import { passive, suite } from '../../src/engine/suite.ts';
import { flightNoticeKey } from '../../src/judge/callbackOracles/flightNoticeKey.ts';
import { flightNoticeRecipient } from '../../src/judge/callbackOracles/flightNoticeRecipient.ts';
import { flightNoticeRequest } from '../../src/judge/callbackOracles/flightNoticeRequest.ts';

export default suite('Flight alerts: what every notification looks like', [
  passive('fla', flightNoticeRequest),
  passive('fla', flightNoticeKey),
  passive('fla', flightNoticeRecipient),
]);
