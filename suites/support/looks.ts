import {
  type Change,
  type CheckContext,
  type Exchange,
  type Judgement,
  type KeyChoice,
  type OwnRecord,
  agreesWith,
  isFilledList,
  memberOf,
  plainField,
  withoutPassUrls,
  withoutText,
} from '../checks.ts';
import { readStatus } from './checkin.ts';
import { sameKey } from './keys.ts';
import {
  type WebhookHistory,
  historyWithoutPassUrls,
  historyWithoutText,
  pushesNothingElse,
} from './webhookHistory.ts';

/** Members of a record that may differ from look to look while nothing changes, and the open points that ask whether they do. */
const points = { checkin_message: 'WCI-OPN-060', boarding_passes: 'WCI-OPN-090' } as const;

type Fleeting = keyof typeof points;

const fleeting: readonly Fleeting[] = ['checkin_message', 'boarding_passes'];

/** A record of this run, and the key that reads it. */
interface Readable {
  readonly checkinId: string;
  readonly key?: KeyChoice;
  /** An earlier status of it, which may have had another text. */
  readonly seen?: Exchange;
}

const looks = 4;

/** Whether it is known that a member differs from look to look. */
function isKnown(t: CheckContext, member: Fleeting): boolean {
  return t.dialect.variants(points[member]).some(({ variant }) => variant === 'varies');
}

/** Whether a member of a record differs from look to look, a text not only in numbers: then it says nothing. */
export async function varies(
  t: CheckContext,
  member: Fleeting,
  { checkinId, key, seen }: Readable,
): Promise<boolean> {
  if (isKnown(t, member)) return true;
  const differ = { checkin_message: textsDiffer, boarding_passes: passesDiffer }[member];
  const reads = seen ? [seen] : [];
  for (let look = 0; look < looks; look += 1) {
    const read = await readStatus(t, checkinId, key);
    reads.push(read);
    if (differ(reads)) t.observe(points[member], 'varies', read);
    if (differ(reads)) return true;
    await t.sleep(t.grace(20));
  }
  t.observe(points[member], 'stable');
  return false;
}

function textsDiffer(reads: readonly Exchange[]): boolean {
  const texts = reads.map((read) => plainField('checkin_message', memberOf(read, 'checkin_message')));
  return new Set(texts).size > 1;
}

/** Three reads of one state with as many passes, all of them anew. Two that take turns would be those of two copies. */
function passesDiffer(reads: readonly Exchange[]): boolean {
  const last = reads.slice(-3);
  const states = last.map((read) => JSON.stringify([memberOf(read, 'last_updated'), passesOf(read).length]));
  const passes = last.flatMap(passesOf);
  const isOneState = last.length === 3 && new Set(states).size === 1;
  return isOneState && passes.length > 0 && new Set(passes).size === passes.length;
}

function passesOf(read: Exchange): readonly unknown[] {
  const passes = plainField('boarding_passes', memberOf(read, 'boarding_passes'));
  return isFilledList(passes) ? passes : [];
}

/** Judges by some members of a record, without those that alone contradict and differ from look to look. */
export async function judgeByMembers(
  t: CheckContext,
  record: Readable,
  members: readonly string[],
  judge: (members: readonly string[]) => Judgement,
): Promise<Judgement> {
  const whole = judge(members);
  if (whole.status !== 'violated') return whole;
  const doubtful = fleeting.filter(
    (member) => members.includes(member) && judge([member]).status === 'violated',
  );
  const firm = members.filter((member) => !doubtful.some((one) => one === member));
  const rest = judge(firm);
  if (rest.status === 'violated') return whole;
  for (const member of doubtful) if (!(await varies(t, member, record))) return whole;
  return rest;
}

/** A change as it is judged: an event may describe it in other words, and with other URLs of the passes where these differ anyway. */
export function comparable(t: CheckContext, change: Change): Change {
  const plain = withoutText(change);
  return isKnown(t, 'boarding_passes') ? withoutPassUrls(plain) : plain;
}

/** The same of all that was done to a record; whether its passes differ from look to look is found out if need be. */
export async function comparableHistory(
  t: CheckContext,
  { checkinId, subscribed }: OwnRecord,
  history: WebhookHistory,
): Promise<WebhookHistory> {
  const plain = historyWithoutText(history);
  const rest = historyWithoutPassUrls(plain);
  const [whole, part] = [plain, rest].map((one) => pushesNothingElse(one).status);
  if (whole !== 'violated' || part === 'violated') return plain;
  return (await varies(t, 'boarding_passes', { checkinId, key: sameKey(t, subscribed) })) ? rest : plain;
}

/** Finds out whether the URLs of passes differ from look to look, if pushed and read values disagree on them alone. */
export async function lookTwice(
  t: CheckContext,
  { record, key }: { readonly record: OwnRecord; readonly key: KeyChoice },
  change: Change,
): Promise<void> {
  const isAtOdds = (one: Change) => agreesWith(one).status === 'violated';
  const plain = { ...withoutText(change), isOver: true };
  if (isAtOdds(plain) && !isAtOdds(withoutPassUrls(plain))) {
    await varies(t, 'boarding_passes', { checkinId: record.checkinId, key });
  }
}
