import {
  type Exchange,
  type JsonObject,
  type OwnRecord,
  isAccepted,
  memberOf,
  objectsAt,
  without,
} from '../checks.ts';

/** The passengers of a booking without what makes it complete. */
export function poorerThan(body: JsonObject): readonly JsonObject[] {
  return objectsAt(body, 'passengers').map((passenger) =>
    without(passenger, 'passport', 'email', 'documents'),
  );
}

/** Whether an answer names the attempt of the record. */
export function isSameAttempt(exchange: Exchange, record: OwnRecord): boolean {
  return isAccepted(exchange) && memberOf(exchange, 'checkin_id') === record.checkinId;
}
