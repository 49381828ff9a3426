import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type OwnRecord,
  answered,
  fc,
  fixed,
  generate,
  invalid,
  isAccepted,
  lacksSomething,
  property,
  responseOf,
  subscribe,
  suite,
  without,
} from '../checks.ts';
import { callbackRules, judgeCallbackApart, withCallbackForm } from '../support/callbackForms.ts';
import { firstPassenger, judgeUpdated, ownRecord, sendUpdate, updated } from '../support/checkin.ts';
import { clockRules, sendClocksApart, withClockForms } from '../support/clockForms.ts';
import {
  type Shape,
  carried,
  carriedRules,
  carriedTogether,
  inShapes,
  sampled,
  shapes,
  unusuallyNamed,
} from '../support/passengerShapes.ts';

const rules = shapes.map(({ rule }) => rule);
const nameless = [0, 1].map((at) => ({
  rule: 'WCI-UPD-025',
  name: `no name of passenger ${at + 1}`,
  at,
}));
/** Forms of clocks and of callbackData that the same booking carries. */
const formRules = [...clockRules, ...callbackRules];

export default suite('Passenger, Passport, Supporting document, Seat preference', [
  property({
    id: 'wci.passenger.shapes',
    title: 'every shape of a passenger that the field tables allow is accepted',
    verifies: [...rules, 'WCI-UPD-025', 'WCI-OPN-002', 'WCI-OPN-031', 'WCI-OPN-032'],
    uses: ['complete-record', 'scratch-record'],
    exclusive: 'sparing',
    rows: nameless,
    run: async (t, rows) => {
      // An update shows at no cost what a subscribe would: the rules of both are the same.
      const record = await ownRecord(t);
      const complete = firstPassenger(record.body);
      const replace = (passengers: readonly JsonObject[]) =>
        sendUpdate(t, record, { checkin_id: record.checkinId, passengers });
      await observeOpenValues(t, record);
      const turnedDown: Shape[] = [];
      const others = shapes.filter((shape) => !sampled.includes(shape));
      // What is accepted together is accepted by itself.
      const areTogether = t.isSparing && isAccepted(await replace(inShapes(complete, others)));
      await t.each(areTogether ? [] : t.isSparing ? others : shapes, async (shape) => {
        if (isAccepted(await replace(inShapes(complete, [shape])))) return;
        turnedDown.push(shape);
        // Plain passengers show whether any are accepted.
        await replace([complete]);
      });
      await t.each(rows, async ({ at, rule }) => {
        const companion = generate.companionOf(complete);
        const nameless = at === 0 ? { ...companion, first_name: '' } : without(companion, 'last_name');
        const passengers = at === 0 ? [nameless, complete] : [complete, nameless];
        const exchange = await replace(passengers);
        // A subscribe refuses it, or counts it as missing; an update does the same.
        const body = { ...(await t.fixtures.booking()), passengers };
        const isRefused = answered(await t.send(subscribe(body)), invalid).status === 'holds';
        const stored = await judgeUpdated(t, exchange, lacksSomething);
        t.judge(stored.evidence, {
          [rule]: isRefused || !isAccepted(exchange) ? answered(exchange, invalid) : stored.judgement,
        });
      });
      if (turnedDown.some((shape) => shape !== unusuallyNamed)) return;
      const shown = turnedDown.length > 0 ? plainlyNamed : (all: readonly JsonObject[]) => all;
      const several = fc.array(generate.passenger(t.now()), { minLength: 1, maxLength: 4 });
      await t.forAll('valid passengers', several, async (passengers) => {
        // Either of the two readings of an unusual email is allowed in an update, so it carries a plain one.
        await replace(shown(passengers).map((one) => ({ ...one, email: 'gatecheck@example.com' })));
      });
    },
  }),

  fixed({
    id: 'wci.passenger.subscribe-shapes',
    title:
      'a subscribe takes passengers of every allowed shape together, with clocks and callbackData in forms that are tolerated',
    verifies: [...carriedRules, ...formRules, 'WCI-SUB-043', 'WCI-RDY-010'],
    uses: ['complete-record'],
    run: async (t) => {
      const body = await t.fixtures.booking();
      const complete = firstPassenger(body);
      // One request shows what many would: what is allowed by itself is allowed together.
      const formed = withCallbackForm(t, withClockForms({ ...body, passengers: carriedTogether(complete) }));
      if (isAccepted(await t.send(subscribe(formed)))) return;
      const areAccepted = await sendPartsApart(t, complete);
      t.assume(!areAccepted, 'each form is accepted by itself, and not all together');
    },
  }),
]);

async function observeOpenValues(t: CheckContext, record: OwnRecord): Promise<void> {
  const complete = firstPassenger(record.body);
  const replace = (change: JsonObject) =>
    sendUpdate(t, record, { checkin_id: record.checkinId, passengers: [{ ...complete, ...change }] });
  const back = await replace({ seat_preference: { row_preference: 'back' } });
  if (isWord(back)) t.observe('WCI-OPN-002', isAccepted(back) ? 'accepted' : 'refused', back);
  const lenient = [];
  // A date of birth that is none has a check of its own.
  for (const fault of lenientFaults().slice(t.isSparing ? 1 : 0)) lenient.push(await replace(fault));
  const ways = new Set(lenient.filter(isWord).map(wayWith));
  if (ways.size > 0) t.observe('WCI-OPN-031', ways.size > 1 ? 'by-field' : ([...ways][0] ?? 'by-field'));
  const cases = [];
  for (const spelling of letterCases()) cases.push(await replace(spelling));
  const taken = new Set(cases.filter(isWord).map(isAccepted));
  if (taken.size === 2) t.observe('WCI-OPN-032', 'by-field');
  else if (taken.size === 1)
    t.observe('WCI-OPN-032', taken.has(true) ? 'case-insensitive' : 'exact', cases[0]);
}

/** The first passenger, where names have to be of plain letters: several of one name may count as one. */
function plainlyNamed([first = {}]: readonly JsonObject[]): readonly JsonObject[] {
  return [{ ...first, first_name: 'Testa', last_name: 'Gatecheck' }];
}

/** Passengers, clocks and callbackData apart, and then one form after the other of what is refused; returns whether nothing is. */
async function sendPartsApart(t: CheckContext, complete: JsonObject): Promise<boolean> {
  const passengers = carriedTogether(complete);
  const shaped = await t.send(subscribe({ ...(await t.fixtures.booking()), passengers }));
  if (!isAccepted(shaped)) await sendApart(t, complete);
  const areClocksAccepted = await sendClocksApart(t);
  await judgeCallbackApart(t);
  return isAccepted(shaped) && areClocksAccepted;
}

/** One shape after the other, so that a finding names the one that is refused. */
async function sendApart(t: CheckContext, complete: JsonObject): Promise<void> {
  const shown = carried.map((shape) => ({ ...shape, passengers: inShapes(complete, [shape]) }));
  const rows = [...shown, { name: 'no email', passengers: [without(complete, 'email')] }];
  await t.each(rows, async ({ passengers }) => {
    await t.send(subscribe({ ...(await t.fixtures.booking()), passengers }));
  });
}

function lenientFaults(): readonly JsonObject[] {
  return [
    { date_of_birth: '17/05/1990' },
    { email: 5 },
    {
      passport: { number: 5, date_of_issue: 'then', expiry_date: 'later', place_of_issue: 7, nationality: 1 },
    },
  ];
}

function letterCases(): readonly JsonObject[] {
  return [{ documents: [{ type: 'visa' }] }, { seat_preference: { row_preference: 'FRONT' } }];
}

function isWord(exchange: Exchange): boolean {
  return [200, 400, 422].includes(responseOf(exchange)?.status ?? 0);
}

function wayWith(exchange: Exchange): string {
  if (!isAccepted(exchange)) return 'refused';
  const missing = updated(exchange)?.missing_info;
  return Array.isArray(missing) && missing.length > 0 ? 'counted-as-missing' : 'stored';
}
