import {
  type CheckContext,
  type Corruption,
  type JsonObject,
  generate,
  isAccepted,
  rulesOf,
  suite,
  table,
  without,
} from '../checks.ts';
import { corrupt, firstPassenger, inFlights, withFreshPnr } from '../support/checkin.ts';
import { earliestNow } from '../support/clocks.ts';
import { bookingAhead, tooNearMs } from '../support/departures.ts';
import { sameKey } from '../support/keys.ts';
import { type PnrForm, bookingParts, knownPnrForm, multipart, sendInSomeForm } from '../support/multipart.ts';

// Lists that are missing, empty or no lists are those of `wci.multipart.subscribe-refused`; a text is what a part holds anyway.
const isOfOneElement = ({ rule }: Corruption) =>
  /^WCI-(JRN|DT)-/.test(rule) || (rule.startsWith('WCI-SUB-') && !/-02[4-9]$/.test(rule));
const missingNames = generate.missingNames.filter(({ name }) => name.startsWith('absent-'));
const faults = [...ofEachRule(generate.subscribeCorruptions(0).filter(isOfOneElement)), ...missingNames];

const lenient: readonly {
  readonly rule: string;
  readonly name: string;
  readonly change: (body: JsonObject) => JsonObject;
}[] = [
  {
    rule: 'WCI-SUB-036',
    name: 'no arrival',
    change: (body) => inFlights(body, (leg) => without(leg, 'arrival_datetime')),
  },
  {
    rule: 'WCI-SUB-036',
    name: 'an arrival of null',
    change: (body) => inFlights(body, (leg) => ({ ...leg, arrival_datetime: null })),
  },
  {
    rule: 'WCI-SUB-042',
    name: 'a malformed email of a second passenger',
    change: (body) => {
      const first = firstPassenger(body);
      return { ...body, passengers: [first, { ...generate.companionOf(first), email: 'not-an-email' }] };
    },
  },
  {
    rule: 'WCI-SUB-059',
    name: 'callbackData of null',
    change: (body) => ({ ...body, callbackData: null }),
  },
  ...['email', 'phone', 'date_of_birth', 'passport', 'documents', 'seat_preference'].map((name) => ({
    rule: 'WCI-SUB-041',
    name: `${name} of null`,
    change: (body: JsonObject) => ({ ...body, passengers: [{ ...firstPassenger(body), [name]: null }] }),
  })),
];

export default suite('Multipart encoding: the rules of a booking', [
  table({
    id: 'wci.multipart.subscribe-rules',
    title:
      'a multipart subscribe that breaks a rule of flights, passengers or journey is refused as one of JSON is',
    verifies: [...rulesOf(faults), 'WCI-JRN-001'],
    uses: ['complete-record', 'two-leg-record'],
    needs: ['writes', 'quota'],
    rows: faults,
    run: async (t, rows) => {
      const one = await t.fixtures.booking();
      const two = await t.fixtures.itineraryRecord('twoLeg').then(
        ({ body }) => body,
        () => one,
      );
      const send = (body: JsonObject) =>
        t.send(multipart(t, 'wci.subscribe', bookingParts(body, 'text/plain', knownPnrForm(t))));
      await t.each(rows, async ({ name }) => {
        const row = atThisTime(t, name);
        const valid = [two, one].find((body) => row.applicable(body));
        if (!valid) return;
        await send(corrupt(t, row, withFreshPnr(t, valid)));
      });
      const near = bookingAhead(t, await t.fixtures.itinerary('international'), tooNearMs);
      // A booking that stands already costs nothing, and shows whether the form is read at all.
      if (isAccepted(await send(near))) await send((await t.fixtures.completeRecord()).body);
    },
  }),

  table({
    id: 'wci.multipart.subscribe-lenient',
    title: 'what a JSON subscribe may leave out or have malformed, a multipart one may too',
    verifies: rulesOf(lenient),
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    rows: lenient,
    run: async (t, rows) => {
      // A repeat costs nothing: it is refused by its form alone.
      const { body, subscribed } = await t.fixtures.completeRecord();
      const key = sameKey(t, subscribed);
      const send = (one: JsonObject, form: PnrForm) =>
        t.send(multipart(t, 'wci.subscribe', bookingParts(one, 'text/plain', form), { key }));
      const { exchange: plain, form } = await sendInSomeForm((one) => send(body, one));
      t.assume(isAccepted(plain), 'the same booking is refused with all its members');
      await t.each(rows, async ({ change }) => {
        await send(change(body), form);
      });
    },
  }),
]);

/** The fault of that name, with a past that is the past of the deployment. */
function atThisTime(t: CheckContext, name: string): Corruption {
  const all = [...generate.subscribeCorruptions(earliestNow(t)), ...missingNames];
  const row = all.find((one) => one.name === name);
  if (!row) throw new Error(`there is no corruption ${name}`);
  return row;
}

/** One of each rule, and of rules about later elements each. */
function ofEachRule(rows: readonly Corruption[]): readonly Corruption[] {
  const isOfLater = ({ rule }: Corruption) => ['WCI-SUB-033', 'WCI-SUB-039'].includes(rule);
  return rows.filter((row, at) => isOfLater(row) || rows.findIndex(({ rule }) => rule === row.rule) === at);
}
