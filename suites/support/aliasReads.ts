import {
  type CheckContext,
  type Exchange,
  type KeyChoice,
  equalMembers,
  isAccepted,
  isFilledList,
  objectOf,
  status,
} from '../checks.ts';
import { varies } from './looks.ts';

const members = [
  ...['checkin_id', 'booking_id', 'status', 'sub_status', 'checkin_message'],
  ...['missing_info', 'boarding_passes', 'last_updated'],
];

/** Reads a record that was read before by checkinId, and by its checkin_id again if that shows something else. */
export async function readByAlias(
  t: CheckContext,
  { checkinId, read, key }: { readonly checkinId: string; readonly read: Exchange; readonly key: KeyChoice },
): Promise<void> {
  if (!isAccepted(read)) return;
  const alias = await t.send(status({ checkinId }, { key }));
  const isSame = (some: readonly string[]) => equalMembers(alias, read, some).status === 'holds';
  const hasPasses = isFilledList(objectOf(alias)?.boarding_passes);
  if (hasPasses && isSame(['boarding_passes'])) t.observe('WCI-OPN-090', 'stable', alias);
  if (isSame(members)) return;
  await t.send(status({ checkin_id: checkinId }, { key }));
  if (hasPasses && !isSame(['boarding_passes']))
    await varies(t, 'boarding_passes', { checkinId, key, seen: read });
}
