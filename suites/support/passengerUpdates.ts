import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type Judgement,
  type OwnRecord,
  answered,
  describeResponse,
  invalid,
  isAccepted,
  lacksNothing,
  lacksSomething,
  memberOf,
  type objectOf,
  responseOf,
  subscribe,
  differs,
  is,
} from '../checks.ts';
import { firstPassenger, judgeUpdated, sendUpdate, withFreshPnr } from './checkin.ts';
import { sameKey } from './keys.ts';

const missedAsWithOne = is.noted(is.notEmpty, 'as with that passenger alone');
const missedOfOne = differs('missing-info', 'missing_info', missedAsWithOne, []);

/** Replaces the passengers of a record. Where updates fail altogether, a new booking shows what is missing of these. */
export async function replacePassengers(
  t: CheckContext,
  record: OwnRecord,
  passengers: readonly JsonObject[],
): Promise<Exchange> {
  const answer = await sendUpdate(t, record, { checkin_id: record.checkinId, passengers });
  if (t.isSparing || (responseOf(answer)?.status ?? 500) < 500) return answer;
  const body = { ...withFreshPnr(t, record.body), passengers };
  return t.send(subscribe(body, { key: sameKey(t, record.subscribed) }));
}

/** Judges what an accepted update leaves missing, by its own answer or a read. */
export async function judgeMissing(
  t: CheckContext,
  rule: string,
  answer: Exchange,
  judge: (record: ReturnType<typeof objectOf>) => Judgement,
): Promise<void> {
  t.assume(isAccepted(answer), `the update was answered ${describeResponse(answer)}, which is another rule`);
  const { evidence, judgement } = await judgeUpdated(t, answer, judge);
  t.judge(evidence, { [rule]: judgement });
}

/** Refused, or stored as something missing: repeating the earlier update shows that nothing else is missing. */
export async function judgeMalformed(
  t: CheckContext,
  record: OwnRecord,
  { rule, answer }: { readonly rule: string; readonly answer: Exchange },
): Promise<void> {
  if (!isAccepted(answer)) {
    judgeRefusal(t, rule, answer);
    return;
  }
  const { evidence, judgement } = await judgeUpdated(t, answer, lacksSomething);
  if (judgement.status === 'violated') await assumeReassessed(t, record);
  t.judge(evidence, { [rule]: judgement });
}

/** The refusal of malformed data: one because of the input is judged, any other belongs to another rule. */
export function judgeRefusal(t: CheckContext, rule: string, answer: Exchange): void {
  const isInput = [400, 422].includes(responseOf(answer)?.status ?? 0);
  t.assume(isInput, `the request was answered ${describeResponse(answer)}, which is another rule`);
  t.judge(answer, { [rule]: answered(answer, invalid) });
}

/** Passengers that lack something. What is missed of one alone, and not among several, is what is wrong with several. */
export async function judgeLacking(
  t: CheckContext,
  record: OwnRecord,
  { rule, passengers }: { readonly rule: string; readonly passengers: readonly JsonObject[] },
): Promise<void> {
  // A missing member may be kept from before, which is another rule.
  const all = passengers.map((one) => ({ passport: null, nationality: null, email: null, ...one }));
  const answer = await replacePassengers(t, record, all);
  const isMissed = async (one: Exchange) =>
    (await judgeUpdated(t, one, lacksSomething)).judgement.status !== 'violated';
  if (!isAccepted(answer) || (await isMissed(answer))) return judgeMissing(t, rule, answer, lacksSomething);
  await assumeReassessed(t, record);
  if (all.length === 1) return judgeMissing(t, rule, await replacePassengers(t, record, all), lacksSomething);
  for (const passenger of all) {
    const alone = await replacePassengers(t, record, [passenger]);
    if (await isMissed(alone)) return judgeMissing(t, 'WCI-RDY-009', answer, () => missedOfOne);
  }
  t.assume(rule !== 'WCI-RDY-009', 'it is not missed of one passenger alone either');
  return judgeMissing(t, rule, await replacePassengers(t, record, all), lacksSomething);
}

/** An update after which not even bare names are incomplete changes no readiness at all, which is another rule. */
async function assumeReassessed(t: CheckContext, record: OwnRecord): Promise<void> {
  const { first_name = '', last_name = '' } = firstPassenger(record.body);
  const nothing = { email: null, passport: null, nationality: null };
  const answer = await replacePassengers(t, record, [{ first_name, last_name, ...nothing }]);
  const { judgement } = await judgeUpdated(t, answer, lacksSomething);
  t.assume(judgement.status === 'holds', 'an update does not change what is missing');
}

interface Sufficient {
  readonly rule: string;
  readonly answer: Exchange;
  /** A passenger who lacks nothing for certain. */
  readonly complete: JsonObject;
}

/** Passengers that lack nothing, on a record that a complete passenger makes complete. */
export async function judgeSufficient(
  t: CheckContext,
  record: OwnRecord,
  { rule, answer, complete }: Sufficient,
): Promise<void> {
  if (isAccepted(answer)) {
    const { evidence, judgement } = await judgeUpdated(t, answer, lacksNothing);
    if (judgement.status === 'holds') {
      t.judge(evidence, { [rule]: judgement });
      return;
    }
    const control = await judgeUpdated(t, await replacePassengers(t, record, [complete]), lacksNothing);
    t.assume(control.judgement.status === 'holds', 'a complete passenger does not make the record complete');
    t.judge(evidence, { [rule]: judgement });
  }
  return judgeMissing(t, rule, answer, lacksNothing);
}

/** Whether records that lack different things show one sub_status. */
export function observeSubStatus(t: CheckContext, one: Exchange, other: Exchange): void {
  const isSame = memberOf(one, 'sub_status') === memberOf(other, 'sub_status');
  t.observe('WCI-OPN-006', isSame ? 'one-literal' : 'several-literals', one);
}
