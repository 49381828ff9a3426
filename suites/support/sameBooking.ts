import {
  type Exchange,
  type JsonObject,
  type Judgement,
  type OwnRecord,
  all,
  equalMembers,
  holds,
  isAccepted,
  lacksNothing,
  memberOf,
  objectOf,
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

/** Only the readiness members: how a subscribe and a read show the status is another question. */
export function stillAsComplete(read: Exchange, first: Exchange): Judgement {
  const wasComplete = lacksNothing(objectOf(first)).status === 'holds';
  return all(equalMembers(read, first, ['sub_status']), wasComplete ? lacksNothing(objectOf(read)) : holds);
}
