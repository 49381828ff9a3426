import {
  type CheckContext,
  type Exchange,
  type Judgement,
  type KeyChoice,
  all,
  answered,
  equalMembers,
  holds,
  isAccepted,
  isFilledList,
  memberOf,
  objectOf,
  ok,
  status,
  is,
  differs,
} from '../checks.ts';
import { judgeByMembers } from './looks.ts';

const members = [
  ...['checkin_id', 'booking_id', 'status', 'sub_status', 'checkin_message'],
  ...['missing_info', 'boarding_passes', 'last_updated'],
];

/** Reads a record that was read before by checkinId: the same answer, unless the record has changed since. */
export async function judgeAlias(
  t: CheckContext,
  { checkinId, read, key }: { readonly checkinId: string; readonly read: Exchange; readonly key: KeyChoice },
): Promise<void> {
  if (!isAccepted(read)) return;
  const alias = await t.send(status({ checkinId }, { key }));
  if (isSamePass(alias, read)) t.observe('WCI-OPN-090', 'stable', alias);
  const isUnlike = equalMembers(alias, read, members).status === 'violated';
  const again = isUnlike ? await t.send(status({ checkin_id: checkinId }, { key })) : read;
  const same = await judgeByMembers(t, { checkinId, key, seen: read }, members, (some) => {
    const before = equalMembers(alias, read, some);
    return before.status === 'violated' ? equalMembers(alias, again, some) : before;
  });
  t.judge([read, alias], { 'WCI-STS-002': all(answered(alias, ok), lacksNone(alias, read), same) });
}

/** Whether two reads show the same passes, one at least. */
function isSamePass(one: Exchange, other: Exchange): boolean {
  const isThere = isFilledList(objectOf(one)?.boarding_passes);
  return isThere && equalMembers(one, other, ['boarding_passes']).status === 'holds';
}

/** A member that every read by checkin_id has, such as boarding_passes before completion, is there by the alias too. */
function lacksNone(alias: Exchange, read: Exchange): Judgement {
  const lost = members.find((one) => memberOf(read, one) !== undefined && memberOf(alias, one) === undefined);
  return lost === undefined
    ? holds
    : differs('alias', lost, is.value(memberOf(read, lost), 'as by checkin_id'), is.absent);
}
