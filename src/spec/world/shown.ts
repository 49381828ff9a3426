import type { Exchange } from '../../core/evidence.ts';
import { isObject, objectOf, type Json } from '../../trace/body.ts';

/** The members of a record that an event may tell, as an answer shows them. */
export interface Shown {
  readonly status: Json;
  readonly sub_status: Json;
  readonly checkin_message: Json;
  readonly missing_info: Json;
  readonly boarding_passes: Json;
}

/** What an answer shows of a record; null where it shows none. A subscribe calls the message status_message. */
export function shownBy(exchange: Exchange): Shown | null {
  const body = objectOf(exchange);
  const data = isObject(body?.data) ? body.data : null;
  const record = exchange.operation === 'wci.update' ? data : body;
  if (!record || typeof record.status !== 'string') return null;
  const message = exchange.operation === 'wci.subscribe' ? record.status_message : record.checkin_message;
  return {
    status: record.status,
    sub_status: record.sub_status ?? null,
    checkin_message: message ?? null,
    missing_info: record.missing_info ?? [],
    boarding_passes: record.boarding_passes ?? [],
  };
}
