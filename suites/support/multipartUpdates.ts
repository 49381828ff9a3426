import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type OwnRecord,
  generate,
  isAccepted,
  isJsonObject,
  lacksNothing,
  lacksSomething,
  responseOf,
  without,
} from '../checks.ts';
import { firstPassenger, judgeUpdated, lookAt, sendUpdate } from './checkin.ts';
import { findRecord } from './listing.ts';

type Replace = (passengers: readonly JsonObject[]) => Promise<Exchange>;

/** Looks at an update after which nothing is missing; where something is, one of the same passengers by JSON tells why. */
async function lookAtComplete(
  t: CheckContext,
  record: OwnRecord,
  answer: Exchange,
  passengers: readonly JsonObject[],
): Promise<void> {
  const { judgement } = await judgeUpdated(t, answer, lacksNothing);
  if (judgement.status === 'violated')
    await lookAt(t, await sendUpdate(t, record, { checkin_id: record.checkinId, passengers }), lacksNothing);
}

/** Two passengers who lack nothing are complete by multipart where one alone is. */
export async function lookAtWhole(t: CheckContext, record: OwnRecord, answer: Exchange): Promise<void> {
  const complete = firstPassenger(record.body);
  await lookAtComplete(t, record, answer, [complete, generate.companionOf(complete)]);
}

/** A nationality serves wherever it stands, as it does in JSON: of one passenger in the passport, of the other one beside it. */
export async function sendNationalities(t: CheckContext, record: OwnRecord, replace: Replace): Promise<void> {
  const first = firstPassenger(record.body);
  const second = generate.companionOf(first);
  const nationality = isJsonObject(first.passport) ? (first.passport.nationality ?? null) : null;
  const bare = isJsonObject(second.passport) ? without(second.passport, 'nationality') : {};
  const passengers = [without(first, 'nationality'), { ...second, passport: bare, nationality }];
  await lookAtComplete(t, record, await replace(passengers), passengers);
}

/** A part that holds a pnr is as little read as a top-level pnr of JSON: neither beside payload.pnr nor beside passengers. */
export async function sendTopLevel(
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
  await send({ checkin_id, passengers: [firstPassenger(body)], pnr: loose });
  const wanted = isAccepted(twice) ? inner : given;
  await findRecord(t, record, { until: (shown) => shown?.pnr === wanted });
}

/** A list in a part replaces the stored one, of two complete passengers: what it leaves out is gone. */
export async function sendReplacing(t: CheckContext, complete: JsonObject, replace: Replace): Promise<void> {
  const both = [complete, without(generate.companionOf(complete), 'passport', 'documents')];
  const poorer = await judgeUpdated(t, await replace(both), lacksSomething);
  // What is missed of one alone is not kept from before: then the second one is lost.
  if (poorer.judgement.status === 'violated') {
    await lookAt(t, await replace([without(complete, 'passport', 'documents')]), lacksSomething);
    return;
  }
  await lookAt(t, await replace([complete]), lacksNothing);
  await lookAt(t, await replace(both), lacksSomething);
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
