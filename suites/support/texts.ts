import {
  type CheckContext,
  type Exchange,
  type Judgement,
  type KeyChoice,
  memberOf,
  plainField,
} from '../checks.ts';
import { readStatus } from './checkin.ts';

/** A record of this run, and the key that reads it. */
interface Readable {
  readonly checkinId: string;
  readonly key?: KeyChoice;
  /** An earlier status of it, which may have had another text. */
  readonly seen?: Exchange;
}

const looks = 4;

/** Whether the human-readable text of a record differs from read to read, not only in numbers: then it says nothing. */
async function textsVary(t: CheckContext, { checkinId, key, seen }: Readable): Promise<boolean> {
  const known = t.dialect.variants('WCI-OPN-060');
  if (known.some(({ variant }) => variant === 'varies')) return true;
  const texts = new Set<unknown>();
  if (seen) texts.add(plainField('checkin_message', memberOf(seen, 'checkin_message')));
  for (let look = 0; look < looks; look += 1) {
    const read = await readStatus(t, checkinId, key);
    texts.add(plainField('checkin_message', memberOf(read, 'checkin_message')));
    if (texts.size > 1) t.observe('WCI-OPN-060', 'varies', read);
    if (texts.size > 1) return true;
    await t.sleep(t.grace(20));
  }
  t.observe('WCI-OPN-060', 'stable');
  return false;
}

/** Judges by some members of a record, without its human-readable text if that alone contradicts and varies. */
export async function judgeByMembers(
  t: CheckContext,
  record: Readable,
  members: readonly string[],
  judge: (members: readonly string[]) => Judgement,
): Promise<Judgement> {
  const whole = judge(members);
  if (whole.status !== 'violated') return whole;
  const rest = judge(members.filter((member) => member !== 'checkin_message'));
  return rest.status !== 'violated' && (await textsVary(t, record)) ? rest : whole;
}
