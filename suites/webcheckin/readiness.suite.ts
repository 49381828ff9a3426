import {
  about,
  type CheckContext,
  type Exchange,
  type JsonObject,
  type OwnRecord,
  accepted,
  generate,
  isAccepted,
  isJsonObject,
  lacksNothing,
  lacksSomething,
  objectOf,
  property,
  responseOf,
  rulesOf,
  subscribe,
  suite,
  without,
  withoutPassports,
  dayMs,
  sparing,
} from '../checks.ts';
import {
  domesticRecord,
  firstPassenger,
  judgeUpdated,
  ownRecord,
  pick,
  updated,
  withFreshPnr,
} from '../support/checkin.ts';
import { bookingAhead } from '../support/departures.ts';
import {
  judgeLacking,
  judgeMalformed,
  judgeSufficient,
  observeSubStatus,
  replacePassengers,
} from '../support/passengerUpdates.ts';

const gaps = generate.readinessGaps.filter(({ sharpOn }) => sharpOn === 'both');
const sufficiencies = generate.readinessSufficiencies.filter(({ scope }) => scope !== 'domestic');

const lackingPassports = [0, 1].map((at) => ({
  name: at === 0 ? 'the first of two without a passport' : 'a second one of the same name without a passport',
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
/** Delivered by every mail server, and refused by many a pattern. */
const deliverable = "Gate.O'Check_2+in@mail-4.gatecheck.example.museum";
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
      'WCI-RDY-023',
      'WCI-OPN-030',
    ],
    uses: ['complete-record', 'scratch-record'],
    exclusive: 'sparing',
    rows: sufficiencies,
    run: async (t, rows) => {
      const record = await ownRecord(t);
      const passenger = withoutUrl(firstPassenger(record.body));
      const least = { ...without(passenger, ...furtherFields), email: deliverable };
      const bare = await replacePassengers(t, record, [least]);
      await t.each([deliverable], async () => {
        // With fewer fields at once: one request shows both where the record is complete.
        const isWhole =
          isAccepted(bare) && (await judgeUpdated(t, bare, lacksNothing)).judgement.status === 'holds';
        const answer = isWhole
          ? bare
          : await replacePassengers(t, record, [{ ...passenger, email: deliverable }]);
        await judgeSufficient(t, record, { rule: 'WCI-RDY-023', answer, complete: passenger });
        if (isAccepted(bare)) observeFurther(t, bare);
      });
      await t.each(gaps, async (row) => {
        const passengers = pick(t, row.name, row.apply)([passenger]);
        await judgeLacking(t, record, { rule: row.rule, passengers });
      });
      // The gaps have a row of one passenger of two, and dates have a check of their own.
      const malformed = malformedPassports.filter(({ rule }) => !t.isSparing || rule === 'WCI-RDY-022');
      await t.each(malformed, async ({ rule, change }) => {
        const passport = isJsonObject(passenger.passport) ? passenger.passport : {};
        const changed = { ...passenger, passport: { ...passport, ...change } };
        const answer = await replacePassengers(t, record, [changed]);
        await judgeMalformed(t, record, { rule, answer });
      });
      await t.each(t.isSparing ? [] : ['x', 'not-an-email', 'gatecheck@@example.com'], async (email) => {
        const answer = await replacePassengers(t, record, [{ ...passenger, email }]);
        await judgeMalformed(t, record, { rule: 'WCI-RDY-011', answer });
      });
      await t.each(t.isSparing ? [] : lackingPassports, async ({ at }) => {
        const lacking = { ...passenger, passport: null };
        const passengers = at === 0 ? [lacking, generate.companionOf(passenger)] : [passenger, lacking];
        await judgeLacking(t, record, { rule: 'WCI-RDY-009', passengers });
      });
      await t.each(rows, (row) => judgeEnough(t, record, { row, passenger }));
      if (!t.isSparing) await judgeLaterPassenger(t, { record, passenger, rows });
      await t.forAll(
        'passengers that lack something',
        generate.incompletePassengers(t.now(), true),
        async ({ rule, passengers }) => {
          const plain = rule === 'WCI-RDY-016' ? passengers : passengers.map(withoutUrl);
          await judgeLacking(t, record, { rule, passengers: plain });
        },
      );
    },
  }),

  sparing({
    id: 'wci.readiness.domestic',
    title: 'a domestic booking is complete without passports, and needs an email',
    verifies: ['WCI-RDY-015', 'WCI-RDY-010', 'WCI-RDY-001'],
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
        return judgeSufficient(t, found, { rule, answer, complete: passenger });
      });
      if (!t.isSparing) await sendLateBorder(t);
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
      const second = generate.companionOf(first);
      const passengers = [first, { ...second, email }, { ...generate.companionOf(second), email: '' }];
      const later = await t.send(subscribe({ ...known, passengers }));
      const what = 'a malformed email of the second passenger, and an empty one of the third';
      t.judge(later, { 'WCI-SUB-042': about(accepted(later), what) });
    },
  }),
]);

/** A third leg abroad makes passports necessary; the oracles judge what is accepted. */
async function sendLateBorder(t: CheckContext): Promise<void> {
  const within = await t.fixtures.itinerary('domestic');
  const abroad = await t.fixtures.itinerary('international');
  const [there] = within.legs;
  const [onward] = abroad.legs;
  if (!there || !onward) return;
  const back = { ...there, origin: there.destination, destination: there.origin };
  const ends = [onward.destination, onward.origin];
  const countryOf = (code: string) => generate.airportOf(code).country;
  const end = ends.find((code) => countryOf(code) !== countryOf(there.origin));
  const legs = [there, back, { ...onward, origin: there.origin, destination: end ?? '' }];
  await t.send(subscribe(withoutPassports(bookingAhead(t, { ...within, legs }, 11 * dayMs))));
}

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
    t.assume(message === 'SCHEDULED', 'it counts as an earlier booking');
    t.judge([answer, fresh], { 'WCI-RDY-010': lacksSomething(objectOf(fresh)) });
    return;
  }
  t.judge(evidence, { 'WCI-RDY-010': judgement });
}

function observeFurther(t: CheckContext, exchange: Exchange): void {
  const missing = updated(exchange)?.missing_info;
  if (!Array.isArray(missing)) return;
  t.observe('WCI-OPN-030', missing.length === 0 ? 'nothing-further' : 'further-fields', exchange);
}

/** Without the address of a scan, which some take for the data. */
function withoutUrl(passenger: JsonObject): JsonObject {
  const { passport } = passenger;
  return isJsonObject(passport) ? { ...passenger, passport: without(passport, 'document_url') } : passenger;
}

interface Enough {
  readonly row: (typeof sufficiencies)[number];
  readonly passenger: JsonObject;
}

/** A passenger with what the row says is complete. */
async function judgeEnough(t: CheckContext, record: OwnRecord, { row, passenger }: Enough): Promise<void> {
  const passengers = pick(t, row.name, row.apply)([passenger]);
  const answer = await replacePassengers(t, record, passengers);
  const isLenient = row.sharpOn === 'both' || responseOf(answer)?.status !== 400;
  if (isLenient) return judgeSufficient(t, record, { rule: row.rule, answer, complete: passenger });
  // An update may refuse a malformed email; a subscribe may not.
  const exchange = await t.send(subscribe({ ...(await t.fixtures.booking()), passengers }));
  t.assume(isAccepted(exchange), 'a subscribe refuses a malformed email, which is another rule');
  t.judge(exchange, { [row.rule]: lacksNothing(objectOf(exchange)) });
}

interface LaterPassenger {
  readonly record: OwnRecord;
  readonly passenger: JsonObject;
  readonly rows: typeof sufficiencies;
}

/** Of a later passenger the same is asked as of the first, and nothing more. */
async function judgeLaterPassenger(
  t: CheckContext,
  { record, passenger, rows }: LaterPassenger,
): Promise<void> {
  const single = rows.filter(({ rule }) => rule === 'WCI-RDY-007' || rule === 'WCI-RDY-008');
  const later = single.map((row) => ({ ...row, name: `${row.name} of the second passenger` }));
  await t.each(later, async (row) => {
    const passengers = [passenger, ...pick(t, row.name, row.apply)([generate.companionOf(passenger)])];
    const answer = await replacePassengers(t, record, passengers);
    return judgeSufficient(t, record, { rule: row.rule, answer, complete: passenger });
  });
}
