import { type WebhookEvent, eventOf } from '../../../src/spec/world/webhookEvent.ts';
import type { Shown } from '../../../src/spec/world/hookedRecord.ts';
import { delivery, webhookEvent } from './deliveries.ts';

/** A record that waits for its check-in to open. */
export const scheduled: Shown = {
  status: 'SCHEDULED',
  sub_status: 'COMPLETE_INFO',
  checkin_message: 'Waiting.',
  missing_info: [],
  boarding_passes: [],
};

/** The same record once automation works on it. */
export const started: Shown = { ...scheduled, status: 'IN_PROGRESS', sub_status: 'STARTED' };

/** Events with these data, a second apart. */
export function webhookEvents(changes: readonly object[]): readonly WebhookEvent[] {
  return changes.flatMap((one, index) => {
    const occurredAt = `2026-03-01T12:00:0${index}.000Z`;
    return eventOf(delivery({ body: webhookEvent(one, { occurredAt }) })) ?? [];
  });
}
