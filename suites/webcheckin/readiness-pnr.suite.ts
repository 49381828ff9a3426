import {
  type CheckContext,
  type Exchange,
  type Json,
  type JsonObject,
  type Judgement,
  type OwnRecord,
  answered,
  equalField,
  fixed,
  hasMember,
  holds,
  isAccepted,
  lacksNothing,
  lacksSomething,
  memberOf,
  objectOf,
  ok,
  recordOf,
  responseOf,
  subscribe,
  suite,
  table,
  unclear,
  without,
  differs,
  is,
} from '../checks.ts';
import {
  firstPassenger,
  judgeUpdated,
  lackingTwice,
  readStatus,
  readUntil,
  sendUpdate,
  updated,
} from '../support/checkin.ts';
import { subscribeUnlike } from '../support/departures.ts';
import { sameKey } from '../support/keys.ts';
import { judgeMissing, observeSubStatus, replacePassengers } from '../support/passengerUpdates.ts';

/** What else makes a pnr invalid is open (WCI-OPN-045); one of the least length that a pnr update may have is not empty. */
const invalidPnrs = [
  { rule: 'WCI-RDY-020', name: 'the empty string' },
  { rule: 'WCI-SUB-045', name: 'punctuation' },
  { rule: 'WCI-SUB-045', name: 'four characters' },
  { rule: 'WCI-SUB-045', name: '300 characters' },
  { rule: 'WCI-SUB-045', name: 'an emoji' },
  { rule: 'WCI-SUB-045', name: 'a NUL' },
  { rule: 'WCI-SUB-044', name: 'null' },
];

export default suite('Readiness: the pnr', [
  fixed({
    id: 'wci.readiness.without-pnr',
    title: 'a booking without pnr is taken as incomplete, and its pnr completes it later',
    verifies: [
      ...['WCI-SUB-044', 'WCI-RDY-014', 'WCI-RDY-018', 'WCI-UPD-029', 'WCI-UPD-030', 'WCI-UPD-046'],
      ...['WCI-OPN-006', 'WCI-OPN-049', 'WCI-OPN-053'],
    ],
    uses: ['complete-record', 'incomplete-record'],
    tags: ['smoke'],
    run: async (t) => {
      const { body, answer: first } = await subscribeUnlike(t, (whole) => without(whole, 'pnr'));
      t.assume(
        memberOf(first, 'message') !== 'ALREADY_SUBSCRIBED',
        'it counts as a booking of an earlier run',
      );
      const isLacking = lacksSomething(objectOf(first)).status !== 'violated';
      t.assume(isLacking, 'it lacks nothing, which is another rule');
      const lacking = await t.fixtures.incompleteRecord();
      observeSubStatus(t, first, lacking.subscribed);
      const record = recordOf(body, first);
      const again = await t.send(subscribe(body, { key: sameKey(t, first) }));
      const isSame = memberOf(again, 'checkin_id') === record.checkinId;
      if (isAccepted(again)) t.observe('WCI-OPN-053', isSame ? 'by-itinerary' : 'always-new', again);
      const passenger = firstPassenger(body);
      await judgeProgress(t, record, [[lackingTwice(passenger)], [passenger]]);
      const pnr = t.identities.pnr();
      const done = await sendUpdate(t, record, {
        checkin_id: record.checkinId,
        type: 'pnr',
        payload: { pnr },
      });
      // Any other refusal is a matter of pnr updates; a conflict means that what is missing cannot be given.
      t.judge(done, responseOf(done)?.status === 409 ? { 'WCI-UPD-030': answered(done, ok) } : {});
      await judgeMissing(t, 'WCI-UPD-030', done, lacksNothing);
      const read = await readUntil(
        t,
        () => readStatus(t, record.checkinId),
        (one) => memberOf(one, 'sub_status') === 'COMPLETE_INFO',
      );
      judgeCompleted(t, done, read);
      await judgeUpdated(t, await replacePassengers(t, record, [passenger]), lacksNothing);
    },
  }),

  table({
    id: 'wci.readiness.invalid-pnr',
    title: 'a booking with an invalid pnr is taken as incomplete',
    verifies: ['WCI-SUB-044', 'WCI-SUB-045', 'WCI-RDY-020', 'WCI-UPD-030'],
    uses: ['complete-record'],
    rows: invalidPnrs,
    run: (t, rows) =>
      t.each(rows, async ({ name }) => {
        const pnr = invalidPnr(t, name);
        const { body, answer: exchange } = await subscribeUnlike(t, (whole) => ({ ...whole, pnr }));
        if (t.isSparing || (pnr !== '' && pnr !== null)) return;
        t.assume(memberOf(exchange, 'message') !== 'ALREADY_SUBSCRIBED', 'it counts as another booking');
        await givePnr(t, recordOf(body, exchange), name);
      }),
  }),
]);

/** A record that lacks only its pnr is complete once that is given, by whatever name the record is meant. */
async function givePnr(t: CheckContext, record: OwnRecord, name: string): Promise<void> {
  const identifier =
    name === 'null' ? { webcheckin_id: record.checkinId } : { booking_id: record.bookingDigits };
  const body = { ...identifier, type: 'pnr', payload: { pnr: t.identities.pnr() } };
  const given = await sendUpdate(t, record, body);
  t.assume(updated(given)?.checkin_id === record.checkinId, 'it is not updated by that name');
  await judgeMissing(t, 'WCI-UPD-030', given, lacksNothing);
}

/** What is missing may follow an update a little later: if it seems unchanged, both are sent again, and read after a while. */
async function judgeProgress(
  t: CheckContext,
  record: OwnRecord,
  lists: readonly (readonly JsonObject[])[],
): Promise<void> {
  const answers: Exchange[] = [];
  for (const passengers of lists) answers.push(await replacePassengers(t, record, passengers));
  const missing = answers.map((answer) => updated(answer)?.missing_info);
  const judgement = showsProgress(missing[0], missing[1]);
  if (judgement.status !== 'violated') {
    t.judge(answers, { 'WCI-RDY-018': judgement });
    return;
  }
  const reads: Exchange[] = [];
  for (const passengers of lists) {
    await replacePassengers(t, record, passengers);
    await t.sleep(3000);
    reads.push(await readStatus(t, record.checkinId));
  }
  const [old, now] = reads.map((read) => objectOf(read)?.missing_info);
  t.judge([...answers, ...reads], { 'WCI-RDY-018': showsProgress(old, now) });
}

function showsProgress(old: Json | undefined, now: Json | undefined): Judgement {
  if (!Array.isArray(old) || !Array.isArray(now)) return unclear('missing_info is no array');
  if (old.length === 0) return unclear('nothing was missing before');
  if (now.length > 0 && !equalField('missing_info', old, now)) return holds;
  const want = is.noted(is.notEmpty, `shorter than ${JSON.stringify(old)} before`);
  return differs('missing-info', 'missing_info', want, now);
}

/** When sub_status follows is open; that it stays behind for good is what the rule warns of. */
function judgeCompleted(t: CheckContext, answer: Exchange, read: Exchange): void {
  const isDone = (record: ReturnType<typeof objectOf>) => record?.sub_status === 'COMPLETE_INFO';
  if (isDone(updated(answer))) t.observe('WCI-OPN-049', 'at-once', answer);
  else t.observe('WCI-OPN-049', isDone(objectOf(read)) ? 'later' : 'unchanged', read);
  const shown = objectOf(read);
  if (shown?.status !== 'SCHEDULED') return;
  t.judge(read, { 'WCI-UPD-046': hasMember(shown, 'sub_status', 'COMPLETE_INFO') });
}

function invalidPnr(t: CheckContext, name: string): string | null {
  if (name === 'null') return null;
  if (name === '300 characters') return t.identities.pnr().repeat(50);
  if (name === 'an emoji') return `${t.identities.pnr()}\u{1f600}`;
  if (name === 'a NUL') return `${t.identities.pnr()}\0`;
  if (name === 'four characters') return t.identities.pnr().slice(-4);
  return name === 'punctuation' ? punctuation(t) : '';
}

function punctuation(t: CheckContext): string {
  return `!${Array.from(t.identities.token(), (character) => '!?*#%&;'.charAt(character.charCodeAt(0) % 7)).join('')}`;
}
