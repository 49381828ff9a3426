import type { Delivery } from '../../core/evidence.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import { parseTimestamp } from '../kit/timestamp.ts';

/** A status webhook as it was delivered (Web Check-in, Events); nothing in it is trusted. */
export interface WebhookEvent {
  readonly delivery: Delivery;
  readonly checkinId: string | null;
  /** Epoch milliseconds; null where occurredAt is no timestamp. */
  readonly occurredAt: number | null;
  /** Empty where there is no such object. */
  readonly changes: JsonObject;
  /** `changes` as it came, whatever it is. */
  readonly sent: Json | undefined;
}

/** The members of `changes` that the documents name. */
export const changeFields = [
  'status',
  'sub_status',
  'checkin_message',
  'missing_info',
  'boarding_passes',
] as const;

/** The event of a delivery, read as leniently as possible: its form is judged elsewhere. Null where it has none. */
export function eventOf(delivery: Delivery): WebhookEvent | null {
  const body = deliveredObject(delivery);
  if (!body) return null;
  const { checkin_id: id, changes, occurredAt } = body;
  return {
    delivery,
    checkinId: typeof id === 'string' ? id : null,
    occurredAt: instantOf(occurredAt),
    changes: isObject(changes) ? changes : {},
    sent: changes,
  };
}

function instantOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const exact = parseTimestamp(value);
  if (exact !== null) return exact;
  const lenient = Date.parse(value);
  return Number.isNaN(lenient) ? null : lenient;
}
