import {
  type Exchange,
  type AnswerObject,
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
  noResponse,
  responseOf,
  unclear,
  without,
  numberDue,
} from '../checks.ts';

/** The passengers of a booking without what makes it complete. */
export function poorerThan(body: JsonObject): readonly JsonObject[] {
  return objectsAt(body, 'passengers').map((passenger) =>
    without(passenger, 'passport', 'email', 'documents'),
  );
}

/** Whether an answer names the attempt of the record. */
export function isSameAttempt(exchange: OwnRecord['subscribed'], record: OwnRecord): boolean {
  return isAccepted(exchange) && memberOf(exchange, 'checkin_id') === record.checkinId;
}

/** Only the readiness members: how a subscribe and a read show the status is another question. */
export function stillAsComplete(read: OwnRecord['subscribed'], first: OwnRecord['subscribed']): Judgement {
  const wasComplete = lacksNothing(objectOf(first)).status === 'holds';
  return all(equalMembers(read, first, ['sub_status']), wasComplete ? lacksNothing(objectOf(read)) : holds);
}

/** One item for a booking, in addition to those that other subscribes made; one whose answer was lost may have made any. */
export function listedOnce(items: readonly AnswerObject[], others: readonly Exchange[]): Judgement {
  const lost = others.find((one) => responseOf(one) === null);
  if (lost) return noResponse(lost);
  const known = others.map((one) => memberOf(one, 'checkin_id'));
  const own = items.filter((item) => !known.includes(item.checkin_id));
  if (own.length === 0) return unclear('the list does not show the booking');
  return numberDue('second-item', 'items', 1, own.length, 'for the booking');
}
