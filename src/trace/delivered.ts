import type { Delivery } from '../core/evidence.ts';
import { onceForLatest } from '../core/latest.ts';
import { bodyOf, isObject, type JsonObject } from './body.ts';

/** The JSON object of a delivery; null for anything else, and for what was not read completely. */
export const deliveredObject = onceForLatest((delivery: Delivery): JsonObject | null => {
  const body = bodyOf(delivery);
  return body.kind === 'json' && isObject(body.value) ? body.value : null;
});
