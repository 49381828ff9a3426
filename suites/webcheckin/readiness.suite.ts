import {
  about,
  type CheckContext,
  type Exchange,
  type Json,
  type JsonObject,
  type Judgement,
  type OwnRecord,
  accepted,
  answered,
  fixed,
  generate,
  hasMember,
  holds,
  isAccepted,
  isJsonObject,
  lacksNothing,
  lacksSomething,
  memberOf,
  objectOf,
  ok,
  property,
  recordOf,
  responseOf,
  rulesOf,
  subscribe,
  suite,
  table,
  unclear,
  violated,
  without,
  equalField,
  sparing,
} from '../checks.ts';
import {
  domesticRecord,
  firstPassenger,
  judgeUpdated,
  lackingTwice,
  ownRecord,
  pick,
  readStatus,
  readUntil,
  sendUpdate,
  updated,
  withFreshPnr,
} from '../support/checkin.ts';
import { subscribeUnlike } from '../support/departures.ts';
import { sameKey } from '../support/keys.ts';
import {
  judgeLacking,
  judgeMalformed,
  judgeMissing,
  judgeSufficient,
  replacePassengers,
} from '../support/passengerUpdates.ts';

const gaps = generate.readinessGaps.filter(({ sharpOn }) => sharpOn === 'both');
const sufficiencies = generate.readinessSufficiencies.filter(({ scope }) => scope !== 'domestic');

/** What else makes a pnr invalid is open (WCI-OPN-045); one of the least length that a pnr update may have is not empty. */
const invalidPnrs = [
  { rule: 'WCI-RDY-020', name: 'the empty string' },
  { rule: 'WCI-SUB-045', name: 'punctuation' },
  { rule: 'WCI-SUB-045', name: 'four characters' },
  { rule: 'WCI-SUB-044', name: 'null' },
];
const lackingPassports = [0, 1].map((at) => ({
  name: `passenger ${at + 1} of two without a passport`,
  at,
}));
/** Texts in the place of the dates that international readiness needs, and none in that of the number. */
const malformedPassports = [
  { rule: 'WCI-RDY-021', name: 'a date of issue that is a text', change: { date_of_issue: 'not a date' } },
  {
    rule: 'WCI-RDY-021',
    name: 'an expiry date in a month that does not exist',
    change: { expiry_date: '2031-13-45' },
  },
  { rule: 'WCI-RDY-022', name: 'an empty number', change: { number: '' } },
];
/** Optional fields that no rule asks for. */
const furtherFields = [
  'country_code',
  'phone',
  'date_of_birth',
  'country_of_residence',
  'documents',
  'seat_preference',
];

export default suite('Readiness', [
  property({
    id: 'wci.readiness.international',
    title: 'each thing that international readiness asks for is missed when it is gone, and only then',
    verifies: [
      ...rulesOf(gaps),
      ...rulesOf(sufficiencies),
      'WCI-RDY-011',
      'WCI-RDY-021',
      'WCI-RDY-022',
      'WCI-OPN-030',
    ],
    uses: ['complete-record', 'scratch-record'],
    exclusive: 'sparing',
    rows: sufficiencies,
    run: async (t, rows) => {
      const record = await ownRecord(t);
      const passenger = withoutUrl(firstPassenger(record.body));
      const bare = await replacePassengers(t, record, [without(passenger, ...furtherFields)]);
      if (isAccepted(bare)) observeFurther(t, bare);
      await t.each(gaps, async (row) => {
        const passengers = pick(t, row.name, row.apply)([passenger]);
        await judgeLacking(t, record, row.rule, passengers);
      });
      // The gaps have a row of one passenger of two, and dates have a check of their own.
      const malformed = malformedPassports.filter(({ rule }) => !t.isSparing || rule === 'WCI-RDY-022');
      await t.each(malformed, async ({ rule, change }) => {
        const passport = isJsonObject(passenger.passport) ? passenger.passport : {};
        const changed = { ...passenger, passport: { ...passport, ...change } };
        const answer = await replacePassengers(t, record, [changed]);
        await judgeMalformed(t, record, { rule, answer });
      });
      await t.each(t.isSparing ? [] : ['x', 'not-an-email'], async (email) => {
        const answer = await replacePassengers(t, record, [{ ...passenger, email }]);
        await judgeMalformed(t, record, { rule: 'WCI-RDY-011', answer });
      });
      await t.each(t.isSparing ? [] : lackingPassports, async ({ at }) => {
        const lacking = { ...generate.companionOf(passenger), passport: null };
        const passengers = at === 0 ? [lacking, passenger] : [passenger, lacking];
        await judgeLacking(t, record, 'WCI-RDY-009', passengers);
      });
      await t.each(rows, async (row) => {
        const passengers = pick(t, row.name, row.apply)([passenger]);
        const answer = await replacePassengers(t, record, passengers);
        const isLenient = row.sharpOn === 'both' || responseOf(answer)?.status !== 400;
        if (isLenient) return judgeSufficient(t, record, row.rule, answer, passenger);
        // An update may refuse a malformed email; a subscribe may not.
        const exchange = await t.send(subscribe({ ...(await t.fixtures.booking()), passengers }));
        t.assume(isAccepted(exchange), 'a subscribe refuses a malformed email, which is another rule');
        t.judge(exchange, { [row.rule]: lacksNothing(objectOf(exchange)) });
      });
      // Of a later passenger the same is asked, and nothing more.
      const single = rows.filter(({ rule }) => rule === 'WCI-RDY-007' || rule === 'WCI-RDY-008');
      const later = single.map((row) => ({ ...row, name: `${row.name} of the second passenger` }));
      await t.each(t.isSparing ? [] : later, async (row) => {
        const passengers = [passenger, ...pick(t, row.name, row.apply)([generate.companionOf(passenger)])];
        const answer = await replacePassengers(t, record, passengers);
        return judgeSufficient(t, record, row.rule, answer, passenger);
      });
      await t.forAll(
        'passengers that lack something',
        generate.incompletePassengers(t.now(), true),
        async ({ rule, passengers }) => {
          const plain = rule === 'WCI-RDY-016' ? passengers : passengers.map(withoutUrl);
          await judgeLacking(t, record, rule, plain);
        },
      );
    },
  }),

  fixed({
    id: 'wci.readiness.domestic',
    title: 'a domestic booking is complete without passports, and needs an email',
    verifies: ['WCI-RDY-015', 'WCI-RDY-010'],
    uses: ['domestic-record'],
    run: async (t) => {
      const found = await domesticRecord(t);
      const passenger = firstPassenger(found.body);
      const rows = [
        { rule: 'WCI-RDY-015', name: 'without passport', lacks: 'passport' },
        { rule: 'WCI-RDY-010', name: 'without email', lacks: 'email' },
      ];
      await t.each(rows, async ({ rule, lacks }) => {
        const passengers = [{ ...passenger, [lacks]: null }];
        if (lacks === 'email') return judgeWithoutEmail(t, found, passengers);
        const answer = await replacePassengers(t, found, passengers);
        return judgeSufficient(t, found, rule, answer, passenger);
      });
    },
  }),

  sparing({
    id: 'wci.readiness.malformed-email',
    title: 'a malformed email does not reject a subscribe, and leaves it incomplete where it is the only one',
    verifies: ['WCI-SUB-042', 'WCI-RDY-011', 'WCI-OPN-006'],
    uses: ['complete-record', 'incomplete-record'],
    run: async (t) => {
      const body = await t.fixtures.booking();
      const email = pick(t, 'malformed email', generate.malformedEmail);
      const exchange = await t.send(subscribe({ ...body, passengers: [{ ...firstPassenger(body), email }] }));
      t.judge(exchange, { 'WCI-SUB-042': accepted(exchange) });
      t.judge(exchange, { 'WCI-RDY-011': lacksSomething(objectOf(exchange)) });
      const lacking = await t.fixtures.incompleteRecord();
      observeSubStatus(t, exchange, lacking.subscribed);
      if (t.isSparing) return;
      // A repeat costs nothing: it is refused by this alone.
      const { body: known } = await t.fixtures.completeRecord();
      const first = firstPassenger(known);
      const passengers = [first, { ...generate.companionOf(first), email }];
      const later = await t.send(subscribe({ ...known, passengers }));
      t.judge(later, { 'WCI-SUB-042': about(accepted(later), 'a malformed email of the second passenger') });
    },
  }),

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
      t.judge(first, { 'WCI-SUB-044': accepted(first) });
      t.assume(
        memberOf(first, 'message') !== 'ALREADY_SUBSCRIBED',
        'it counts as a booking of an earlier run',
      );
      t.judge(first, { 'WCI-RDY-014': lacksSomething(objectOf(first)) });
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
      const whole = await replacePassengers(t, record, [passenger]);
      await judgeMissing(t, 'WCI-UPD-029', whole, lacksNothing);
    },
  }),

  table({
    id: 'wci.readiness.invalid-pnr',
    title: 'a booking with an invalid pnr is taken as incomplete',
    verifies: ['WCI-SUB-044', 'WCI-SUB-045', 'WCI-RDY-020', 'WCI-UPD-030'],
    uses: ['complete-record'],
    rows: invalidPnrs,
    run: (t, rows) =>
      t.each(rows, async ({ name, rule }) => {
        const pnr = invalidPnr(t, name);
        const { body, answer: exchange } = await subscribeUnlike(t, (whole) => ({ ...whole, pnr }));
        t.judge(exchange, { [rule === 'WCI-SUB-044' ? rule : 'WCI-SUB-045']: accepted(exchange) });
        if (pnr !== '' && pnr !== null) return;
        t.assume(memberOf(exchange, 'message') !== 'ALREADY_SUBSCRIBED', 'it counts as another booking');
        if (pnr === '') t.judge(exchange, { 'WCI-RDY-020': lacksSomething(objectOf(exchange)) });
        if (!t.isSparing) await judgeGiven(t, recordOf(body, exchange), name);
      }),
  }),
]);

/** Where an update leaves nothing missing, a subscribe shows whether that is for the email, or for the update. */
async function judgeWithoutEmail(
  t: CheckContext,
  found: OwnRecord,
  passengers: readonly JsonObject[],
): Promise<void> {
  const answer = await replacePassengers(t, found, passengers);
  if (!isAccepted(answer)) return;
  const { evidence, judgement } = await judgeUpdated(t, answer, lacksSomething);
  if (judgement.status === 'violated') {
    const fresh = await t.send(subscribe({ ...withFreshPnr(t, found.body), passengers }));
    t.assume(isAccepted(fresh), 'a subscribe without email is refused, which is another rule');
    const { message } = objectOf(fresh) ?? {};
    t.assume(message === 'SCHEDULED', 'it counts as the booking of before');
    t.judge([answer, fresh], { 'WCI-RDY-010': lacksSomething(objectOf(fresh)) });
    return;
  }
  t.judge(evidence, { 'WCI-RDY-010': judgement });
}

/** A record that lacks only its pnr is complete once that is given, by whatever name the record is meant. */
async function judgeGiven(t: CheckContext, record: OwnRecord, name: string): Promise<void> {
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
  const actual = `missing_info ${JSON.stringify(old)} before and ${JSON.stringify(now)} after`;
  return violated('missing-info', 'a shorter missing_info that is not empty yet', actual);
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

function observeFurther(t: CheckContext, exchange: Exchange): void {
  const missing = updated(exchange)?.missing_info;
  if (!Array.isArray(missing)) return;
  t.observe('WCI-OPN-030', missing.length === 0 ? 'nothing-further' : 'further-fields', exchange);
}

function observeSubStatus(t: CheckContext, one: Exchange, other: Exchange): void {
  const isSame = memberOf(one, 'sub_status') === memberOf(other, 'sub_status');
  t.observe('WCI-OPN-006', isSame ? 'one-literal' : 'several-literals', one);
}

function invalidPnr(t: CheckContext, name: string): string | null {
  if (name === 'null') return null;
  if (name === 'four characters') return t.identities.pnr().slice(-4);
  return name === 'punctuation' ? punctuation(t) : '';
}

function punctuation(t: CheckContext): string {
  return `!${Array.from(t.identities.token(), (character) => '!?*#%&;'.charAt(character.charCodeAt(0) % 7)).join('')}`;
}

/** Without the address of a scan, which some take for the data. */
function withoutUrl(passenger: JsonObject): JsonObject {
  const { passport } = passenger;
  return isJsonObject(passport) ? { ...passenger, passport: without(passport, 'document_url') } : passenger;
}
