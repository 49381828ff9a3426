import type { CallbackOracle } from './kernel/callbackOracle.ts';
import { flightNoticeKey } from './flightAlerts/oracles/flightNoticeKey.ts';
import { flightNoticeRecipient } from './flightAlerts/oracles/flightNoticeRecipient.ts';
import { flightNoticeRequest } from './flightAlerts/oracles/flightNoticeRequest.ts';
import { webhookAuthorization } from './webcheckin/oracles/webhookAuthorization.ts';
import { webhookRecipient } from './webcheckin/oracles/webhookRecipient.ts';
import { webhookRequest } from './webcheckin/oracles/webhookRequest.ts';

/** Every passive oracle of callbacks, in the order in which a report names them. */
export const callbackOracles: readonly CallbackOracle[] = [
  webhookRequest,
  webhookAuthorization,
  webhookRecipient,
  flightNoticeRequest,
  flightNoticeKey,
  flightNoticeRecipient,
];
