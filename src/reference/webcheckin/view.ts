import type { WebCheckin } from './context.ts';
import { shownFields } from './progress.ts';
import type { Attempt } from './records.ts';

/** An attempt as status and update show it (GET status, POST update data). */
export function recordView(attempt: Attempt, service: WebCheckin): Record<string, unknown> {
  const { policy } = service;
  return {
    checkin_id: attempt.checkinId,
    booking_id: policy.bookingIdShown(attempt.bookingId),
    ...shownProgress(attempt, service),
    last_updated: policy.timestamp(attempt.updatedAt),
  };
}

/** An attempt as the list shows it (GET requests, list item fields). */
export function listItemView(attempt: Attempt, service: WebCheckin): Record<string, unknown> {
  const { policy } = service;
  const [first] = attempt.legs;
  const last = policy.listedDestination === 'last' ? attempt.legs.at(-1) : first;
  const departure = first ? policy.departureValue(first) : null;
  return policy.listItem({
    checkin_id: attempt.checkinId,
    booking_id: policy.bookingIdShown(attempt.bookingId),
    pnr: attempt.pnr,
    origin: first?.origin,
    destination: last?.destination,
    ...Object.fromEntries(policy.departureNames.map((name) => [name, departure])),
    airline: first?.airline,
    flight_number: first?.flightNumber,
    ...shownProgress(attempt, service),
    scheduled_time: attempt.scheduledAt === null ? null : policy.timestamp(attempt.scheduledAt),
    created_at: policy.timestamp(attempt.createdAt),
    last_updated: policy.timestamp(attempt.updatedAt),
  });
}

function shownProgress(attempt: Attempt, { policy, moment }: WebCheckin): Record<string, unknown> {
  const fields: Record<string, unknown> = shownFields(attempt.progress, policy, moment());
  if (attempt.progress.boardingPasses.length > 0) {
    fields.boarding_passes = policy.finishedPasses(attempt.progress.boardingPasses);
  } else if (policy.unfinishedPasses !== 'empty') {
    fields.boarding_passes = policy.unfinishedPasses === 'null' ? null : undefined;
  }
  return fields;
}
