import type { CallbackOracle } from '../callbackOracle.ts';
import { flightNoticeKey } from './flightNoticeKey.ts';
import { flightNoticeRecipient } from './flightNoticeRecipient.ts';
import { flightNoticeRequest } from './flightNoticeRequest.ts';
import { webhookAuthorization } from './webhookAuthorization.ts';
import { webhookRecipient } from './webhookRecipient.ts';
import { webhookRequest } from './webhookRequest.ts';

/** Every passive oracle of callbacks, in the order in which a report names them. */
export const callbackOracles: readonly CallbackOracle[] = [
  webhookRequest,
  webhookAuthorization,
  webhookRecipient,
  flightNoticeRequest,
  flightNoticeKey,
  flightNoticeRecipient,
];
