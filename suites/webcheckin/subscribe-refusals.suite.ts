import {
  type CheckContext,
  type Corruption,
  type Exchange,
  type JsonObject,
  answeredOtherThan,
  fc,
  fixed,
  generate,
  isAccepted,
  objectsAt,
  property,
  sparing,
  responseOf,
  rulesOf,
  subscribe,
  suite,
  table,
  without,
} from '../checks.ts';
import { corrupt, inFlights, twoLegRecord, withFreshPnr, withThirdLeg } from '../support/checkin.ts';
import { bookingAhead, tooNearMs } from '../support/departures.ts';
import { judgeUnlisted } from '../support/rejections.ts';
import { refusedOrIncomplete } from '../support/refusals.ts';

const { laterLegCorruptions, laterPassengerCorruptions, legCorruptions, listCorruptions } = generate;
// What a table leaves out, the property sends: another spelling of a fault that stands in it already.
const left = /^((flights|passengers)-as-(json-)?text$|(absent|null)-last_name|null-first_name)/;
const inTable = ({ name }: Corruption) => !left.test(name);
const nameRows = generate.missingNames.filter(inTable);

/** Codes that begin with a supported one. */
const longCodes = [4, 5].map((length) => ({ name: `${length} characters`, length }));

export default suite('POST /extPartner/api/webcheckin/subscribe: refusals', [
  refusals('lists', 'a subscribe without flights or passengers is refused as invalid', listCorruptions, [
    'smoke',
  ]),
  refusals('flights', 'a flight that breaks a field rule is refused', legCorruptions, []),
  refusals(
    'passengers',
    'a passenger that breaks a field rule is refused as invalid',
    generate.passengerCorruptions,
    [],
  ),

  table({
    id: 'wci.subscribe.refused-later-leg',
    title: 'the field rules hold for the second and the third leg as for the first',
    verifies: ['WCI-SUB-033'],
    uses: ['two-leg-record'],
    needs: ['writes', 'quota'],
    rows: laterLegCorruptions,
    run: async (t, rows) => {
      const { body } = await twoLegRecord(t);
      await t.each(rows, (row) => refuse(t, row, body));
      await t.each(t.isSparing ? [] : ['third-leg-without-flight_number'], async () => {
        const flights = withThirdLeg(body, (leg) => without(leg, 'flight_number'));
        await t.send(subscribe({ ...withFreshPnr(t, body), flights }));
      });
    },
  }),

  table({
    id: 'wci.subscribe.refused-later-passenger',
    title: 'the field rules hold for the second and the third passenger as for the first',
    verifies: ['WCI-SUB-039'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    rows: laterPassengerCorruptions,
    run: async (t, rows) => {
      const body = await t.fixtures.booking();
      await t.each(rows, (row) => refuse(t, row, body));
      await t.each(t.isSparing ? [] : ['later-passenger-without-last_name'], async () => {
        const [first = {}] = objectsAt(body, 'passengers');
        const passengers = [first, without(generate.companionOf(first), 'last_name')];
        await t.send(subscribe({ ...withFreshPnr(t, body), passengers }));
      });
    },
  }),

  table({
    id: 'wci.subscribe.missing-name',
    title: 'a passenger without a name is refused, or counted as missing information',
    verifies: [...rulesOf(nameRows), 'WCI-OPN-042'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    rows: nameRows,
    run: async (t, rows) => {
      const body = await t.fixtures.booking();
      await t.each(rows, async (row) => {
        const exchange = await t.send(subscribe(corrupt(t, row, withFreshPnr(t, body))));
        t.judge(exchange, { [row.rule]: refusedOrIncomplete(exchange) });
        const isStored = isAccepted(exchange);
        t.observe('WCI-OPN-042', isStored ? 'counted-as-missing' : 'refused-400', exchange);
      });
    },
  }),

  fixed({
    id: 'wci.subscribe.refused-leaves-nothing',
    title: 'a refused subscribe leaves no attempt behind',
    verifies: ['WCI-SUB-067'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const body = await t.fixtures.booking();
      const broken = inFlights(body, (flight) => without(flight, 'destination'));
      const exchange = await t.send(subscribe(broken));
      t.assume(responseOf(exchange)?.status === 400, 'the subscribe was not refused with 400');
      await judgeUnlisted(t, 'WCI-SUB-067', { refused: exchange, pnr: body.pnr });
    },
  }),

  sparing({
    id: 'wci.subscribe.airline-codes',
    title: 'which airline codes pass as well-formed',
    verifies: ['WCI-SUB-034', 'WCI-SUB-073', 'WCI-OPN-001'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const itinerary = await t.fixtures.itinerary('international');
      // Too near to be accepted, so that a code that passes is distinguished from one that does not, and costs nothing.
      const tooNear = (airline: string) =>
        t.send(subscribe(bookingAhead(t, { ...itinerary, airline }, tooNearMs)));
      const isThree = itinerary.airline.length === 3;
      const digit = await tooNear(isThree ? 'IGO' : '6E');
      t.judge(digit, { 'WCI-SUB-034': answeredOtherThan(digit, 400) });
      // A digit may stand second as well.
      if (!isThree) {
        const second = await tooNear('G9');
        t.judge(second, { 'WCI-SUB-034': answeredOtherThan(second, 400) });
      }
      const plain = await t.fixtures.booking();
      await t.each(t.isSparing ? longCodes.slice(0, 1) : longCodes, async ({ length }) => {
        const airline = itinerary.airline.repeat(3).slice(0, length);
        await t.send(subscribe(inFlights(withFreshPnr(t, plain), (flight) => ({ ...flight, airline }))));
      });
      const other = await tooNear(generate.withAirlineForm(itinerary, isThree ? 'iata' : 'icao').airline);
      const four = await tooNear(`${itinerary.airline}XXX`.slice(0, 5));
      if (!isJudgement(other) || !isJudgement(four)) return;
      const [takesOther, takesAny] = [responseOf(other)?.status !== 400, responseOf(four)?.status !== 400];
      const alone = isThree ? 'three-letters' : 'two-alphanumeric';
      t.observe(
        'WCI-OPN-001',
        takesAny ? 'any-length' : takesOther ? 'both' : alone,
        takesAny ? four : other,
      );
    },
  }),

  property({
    id: 'wci.subscribe.corrupted',
    title: 'any valid booking with one fault is refused',
    verifies: rulesOf(generate.bookingCorruptions),
    uses: ['complete-record', 'two-leg-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const one = await t.fixtures.itinerary('international');
      const two = await t.fixtures.itinerary('twoLeg').catch(() => one);
      const now = t.now();
      const booking = fc
        .tuple(generate.bookingDraft(now), fc.constantFrom(one, two))
        .map(([draft, itinerary]) => generate.renderBooking(draft, { itinerary, now, pnr: null }));
      const rows = generate.possible(generate.bookingCorruptions, booking);
      const fault = fc.oneof(...rows.map((row) => generate.corrupted(row, booking)));
      await t.forAll('a booking with one fault', fault, async (body) => {
        await t.send(subscribe(withFreshPnr(t, body)));
      });
    },
  }),
]);

function refusals(name: string, title: string, faults: readonly Corruption[], tags: readonly string[]) {
  return table({
    id: `wci.subscribe.refused-${name}`,
    title,
    verifies: rulesOf(faults),
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    tags,
    rows: faults.filter(inTable),
    run: async (t, sent) => {
      const booking = await t.fixtures.booking();
      // In a later passenger, where validators tend to look less closely.
      const [first = {}] = objectsAt(booking, 'passengers');
      await t.each(sent, (row) =>
        refuse(
          t,
          row,
          name === 'passengers' ? { ...booking, passengers: [generate.companionOf(first)] } : booking,
          name === 'passengers' ? [first] : [],
        ),
      );
    },
  });
}

async function refuse(
  t: CheckContext,
  row: Corruption,
  body: JsonObject,
  before: readonly JsonObject[] = [],
): Promise<void> {
  const broken = corrupt(t, row, withFreshPnr(t, body));
  const passengers = [...before, ...objectsAt(broken, 'passengers')];
  await t.send(subscribe(before.length > 0 ? { ...broken, passengers } : broken));
}

function isJudgement(exchange: Exchange): boolean {
  return [200, 400, 422].includes(responseOf(exchange)?.status ?? 0);
}
