import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type OwnRecord,
  about,
  generate,
  isAccepted,
  isJsonObject,
  lacksNothing,
  lacksSomething,
  responseOf,
  without,
} from '../checks.ts';
import { firstPassenger, judgeUpdated, sendUpdate } from './checkin.ts';
import { findRecord } from './listing.ts';
import { isTaken, keptPnr } from './pnrUpdates.ts';
import { answersFirst, neighbour } from './updateIdentifiers.ts';

/** Two passengers who lack nothing are complete by multipart where one alone is: nothing of theirs is lost. */
export async function judgeWhole(t: CheckContext, record: OwnRecord, answer: Exchange): Promise<void> {
  const { evidence, judgement } = await judgeUpdated(t, answer, lacksNothing);
  if (judgement.status === 'violated') {
    const complete = firstPassenger(record.body);
    const body = { checkin_id: record.checkinId, passengers: [complete, generate.companionOf(complete)] };
    const control = await judgeUpdated(t, await sendUpdate(t, record, body), lacksNothing);
    t.assume(control.judgement.status === 'holds', 'as JSON they lack something as well');
  }
  t.judge(evidence, { 'WCI-MP-012': judgement });
}

/** A nationality serves wherever it stands, as it does in JSON: of one passenger in the passport, of the other one beside it. */
export async function judgeNationalities(
  t: CheckContext,
  record: OwnRecord,
  replace: (passengers: readonly JsonObject[]) => Promise<Exchange>,
): Promise<void> {
  const first = firstPassenger(record.body);
  const second = generate.companionOf(first);
  const nationality = isJsonObject(first.passport) ? (first.passport.nationality ?? null) : null;
  const bare = isJsonObject(second.passport) ? without(second.passport, 'nationality') : {};
  const passengers = [without(first, 'nationality'), { ...second, passport: bare, nationality }];
  const took = await judgeUpdated(t, await replace(passengers), lacksNothing);
  if (took.judgement.status === 'violated') {
    const plain = await sendUpdate(t, record, { checkin_id: record.checkinId, passengers });
    // Readiness may ask for more than the documents list.
    if ((await judgeUpdated(t, plain, lacksNothing)).judgement.status !== 'holds') return;
  }
  t.judge(took.evidence, { 'WCI-MP-012': took.judgement });
}

/** The booking_id of another record beside checkin_id does not matter, or is refused. */
export async function judgeBookingBeside(
  t: CheckContext,
  record: OwnRecord,
  send: (other: OwnRecord) => Promise<Exchange>,
): Promise<void> {
  const exchange = await send(await neighbour(t));
  t.judge(exchange, { 'WCI-UPD-005': about(answersFirst(exchange, record), 'a multipart update') });
}

/** A part that holds a pnr is as little read as a top-level pnr of JSON: neither beside payload.pnr nor beside passengers. */
export async function judgeTopLevel(
  t: CheckContext,
  record: OwnRecord,
  send: (body: JsonObject) => Promise<Exchange>,
): Promise<void> {
  const { checkinId: checkin_id, body } = record;
  const { pnr } = t.identities;
  const [given, outer, inner, loose] = [pnr(), pnr(), pnr(), pnr()];
  const before = await send({ checkin_id, type: 'pnr', payload: { pnr: given } });
  if (!isAccepted(before)) return;
  const twice = await send({ checkin_id, type: 'pnr', payload: { pnr: inner }, pnr: outer });
  const passengers = [firstPassenger(body)];
  const beside = await send({ checkin_id, passengers, pnr: loose });
  const wanted = isAccepted(twice) ? inner : given;
  const { item, page } = await findRecord(t, record, { until: (shown) => shown?.pnr === wanted });
  t.judge([before, twice, beside, page], {
    'WCI-UPD-018': isTaken(twice, item, wanted, outer),
    'WCI-UPD-019': isTaken(beside, item, wanted, loose),
    'WCI-UPD-045': keptPnr(beside, item),
  });
}

/** A list in a part replaces the stored one, of two complete passengers, like a list in JSON: what it leaves out is gone. */
export async function judgeReplacing(
  t: CheckContext,
  complete: JsonObject,
  replace: (passengers: readonly JsonObject[]) => Promise<Exchange>,
): Promise<void> {
  const both = [complete, without(generate.companionOf(complete), 'passport', 'documents')];
  const poorer = await judgeUpdated(t, await replace(both), lacksSomething);
  if (poorer.judgement.status === 'violated') {
    // What is missed of one alone is not kept from before: then the second one is lost.
    const one = await replace([without(complete, 'passport', 'documents')]);
    const isMissed = (await judgeUpdated(t, one, lacksSomething)).judgement.status === 'holds';
    t.judge(poorer.evidence, { [isMissed ? 'WCI-UPD-028' : 'WCI-UPD-027']: poorer.judgement });
    return;
  }
  t.judge(poorer.evidence, { 'WCI-UPD-027': poorer.judgement });
  const shorter = await judgeUpdated(t, await replace([complete]), lacksNothing);
  if (poorer.judgement.status !== 'holds') return;
  t.judge(shorter.evidence, { 'WCI-UPD-026': shorter.judgement });
  const longer = await judgeUpdated(t, await replace(both), lacksSomething);
  if (shorter.judgement.status === 'holds') t.judge(longer.evidence, { 'WCI-UPD-028': longer.judgement });
}

/** A reference without a file, a file without a reference, and a file_field in JSON. */
export async function observeMismatches(
  t: CheckContext,
  record: OwnRecord,
  scanned: JsonObject,
  sent: readonly Promise<Exchange>[],
): Promise<void> {
  const answers = [...(await Promise.all(sent))];
  answers.push(await sendUpdate(t, record, { checkin_id: record.checkinId, passengers: [scanned] }));
  const ways = new Set(answers.map(wayWith).filter((way) => way !== null));
  const [only] = ways;
  if (only !== undefined) t.observe('WCI-OPN-033', ways.size > 1 ? 'by-kind' : only, answers[0]);
}

function wayWith(exchange: Exchange): string | null {
  if (isAccepted(exchange)) return 'ignored';
  const status = responseOf(exchange)?.status;
  return status === 400 || status === 422 ? 'refused' : status === 500 ? 'error-500' : null;
}
