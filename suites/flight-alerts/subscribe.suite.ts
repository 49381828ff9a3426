import {
  type CheckContext,
  type FlightLeg,
  type Route,
  answered,
  errorCode,
  fc,
  fixed,
  flightSubscribe,
  generate,
  isAccepted,
  ok,
  property,
  responseOf,
  routesOf,
  suite,
  utcDate,
} from '../checks.ts';
import {
  callbackOf,
  callbackSubscription,
  legOn,
  lookUp,
  pollingSubscription,
  put,
  sendSubscribe,
  subscribeTo,
  unknownFlight,
} from '../support/flights.ts';
import { keyOmission, storingForbidden } from '../support/openFlightPoints.ts';
import { askUnknown } from '../support/unknownIds.ts';

/** Selects one spelling of any text, since a case is repeated with another leg. */
const spelling = fc.noShrink(fc.nat());

function spell(seed: number, of: (text: string) => fc.Arbitrary<string>, text: string): string {
  const others = of(text).filter((one) => one !== text);
  return fc.sample(others, { seed, numRuns: 1 })[0] ?? text;
}

export default suite('POST /extPartner/api/flight-alerts/subscribe', [
  fixed({
    id: 'fla.subscribe.polling',
    title: 'a leg is subscribed without a callback, and again, without a key',
    verifies: ['FLA-SUB-001', 'FLA-SUB-003', 'FLA-SUB-004', 'FLA-SUB-037', 'FLA-OPN-009'],
    uses: ['polling-subscription'],
    tags: ['smoke'],
    run: async (t) => {
      const { leg, body, key, subscribed: first } = await t.fixtures.pollingSubscription();
      await sendSubscribe(t, body, key);
      await subscribeTo(t, leg, null, key);
      const omission = keyOmission(first);
      if (omission !== null) t.observe('FLA-OPN-009', omission, first);
    },
  }),

  fixed({
    id: 'fla.subscribe.any-status',
    title: 'a leg that has not departed can be subscribed whatever its status is',
    verifies: ['FLA-SUB-001', 'FLA-SUB-041', 'FLA-SNP-009', 'FLA-SNP-010'],
    needs: ['state:flights.put'],
    run: async (t) => {
      const statuses = ['schedule', 'delay', 'cancel', 'cancel in advance', null, 'New thing'];
      const airports = ['SIN', 'BKK', 'NRT', 'DXB', 'AMS', 'CDG'];
      const puts = statuses.map((status, index) => ({
        route: ['DOH', airports[index] ?? 'SIN'] as const,
        changes: { status },
      }));
      const flight = await put(t, puts);
      for (const { route } of puts) await subscribeTo(t, legOn(flight, route));
    },
  }),

  fixed({
    id: 'fla.subscribe.unseen',
    title: 'a leg is subscribed without a lookup before',
    verifies: ['FLA-GET-037'],
    run: async (t) => {
      const leg = await unseenLeg(t);
      if (leg === null)
        return t.skip('the config names no third flight with its legs, and no state handler makes one');
      await subscribeTo(t, leg);
    },
  }),

  fixed({
    id: 'fla.subscribe.snapshot',
    title: 'the snapshot of a subscribe is what the lookup shows of the leg',
    verifies: ['FLA-SNP-022'],
    uses: ['polling-subscription'],
    run: async (t) => {
      const { leg, body, key } = await pollingSubscription(t);
      await lookUp(t, leg);
      await sendSubscribe(t, body, key);
      await lookUp(t, leg);
    },
  }),

  property({
    id: 'fla.subscribe.spelling',
    title: 'every spelling of a leg names the same subscription',
    verifies: ['FLA-SUB-017', 'FLA-SUB-021'],
    uses: ['callback-subscription'],
    maxCases: 12,
    run: async (t) => {
      const { leg, body, key } = await callbackSubscription(t);
      await sendSubscribe(t, body, key);
      const again = (spelling: Partial<typeof leg>) =>
        sendSubscribe(t, generate.renderFlightSubscription({ ...leg, ...spelling }, callbackOf(body)), key);
      await t.forAll('another spelling of the flight number', spelling, async (seed) => {
        await again({ flightNumber: spell(seed, generate.flightNumberSpelling, leg.flightNumber) });
      });
      // Some readers trim spaces and no other white space.
      await t.each([{ name: 'a tab and a line feed around the airport codes' }], async () => {
        await again({ departure: `\t${leg.departure}`, arrival: `${leg.arrival}\n` });
      });
      await t.forAll(
        'another spelling of the airport codes',
        fc.record({ departure: spelling, arrival: spelling }),
        async (seeds) => {
          await again({
            departure: spell(seeds.departure, generate.airportSpelling, leg.departure),
            arrival: spell(seeds.arrival, generate.airportSpelling, leg.arrival),
          });
        },
      );
    },
  }),

  fixed({
    id: 'fla.subscribe.unknown',
    title: 'a leg or flight that does not exist is 404 FLIGHT_NOT_FOUND',
    verifies: ['FLA-SUB-022', 'FLA-SUB-023', 'FLA-OPN-016', 'FLA-OPN-018', 'FLA-OPN-020'],
    uses: ['polling-subscription'],
    tags: ['smoke'],
    run: async (t) => {
      const { x: unknown } = await askUnknown(
        () => legOn({ flightNumber: unknownFlight(t), departureDate: utcDate(t.now(), 10) }, ['DOH', 'SIN']),
        (leg) => subscribeTo(t, leg),
        async (x, leg) => isAccepted(x) && routesOf(await lookUp(t, leg)).length > 0,
      );
      if (responseOf(unknown)?.status === 404)
        t.observe('FLA-OPN-018', errorCode(unknown) === 'NOT_FOUND' ? 'met' : 'never-met', unknown);

      const { leg, subscribed: first } = await t.fixtures.pollingSubscription();
      const { departure, arrival, seen } = leg;
      const variant = storingForbidden(first, unknown);
      if (variant !== null) t.observe('FLA-OPN-020', variant, first);
      const equal = await subscribeTo(t, { ...leg, arrival: departure });
      const status = responseOf(equal)?.status;
      if (status === 400) t.observe('FLA-OPN-016', 'refused-400', equal);
      if (status === 404) t.observe('FLA-OPN-016', 'not-found-404', equal);

      const flownBack = routesOf(seen).some((route) => route.join() === [arrival, departure].join());
      t.assume(!flownBack, 'the flight has a leg in the other direction as well');
      await subscribeTo(t, { ...leg, departure: arrival, arrival: departure });
    },
  }),

  fixed({
    id: 'fla.subscribe.second-key',
    title: 'a subscription belongs to the enterprise or to the key',
    verifies: ['FLA-OPN-008'],
    needs: ['second-key'],
    uses: ['callback-subscription'],
    run: async (t) => {
      const { leg, body, subscribed: first } = await callbackSubscription(t);
      const second = t.keys.primary.find(({ label }) => label !== first.key);
      t.assume(second !== undefined, 'there is no second key');
      const { fid, callbackUrl } = callbackOf(body);
      const other = generate.renderFlightSubscription(leg, { fid, callbackUrl: `${callbackUrl}&second=1` });
      const asked = await t.send(
        flightSubscribe(other, second === undefined ? {} : { key: { kind: 'key', key: second } }),
      );
      if (answered(asked, { status: 409, code: 'CALLBACK_ALREADY_REGISTERED' }).status === 'holds')
        t.observe('FLA-OPN-008', 'enterprise', asked);
      else if (answered(asked, ok).status === 'holds') t.observe('FLA-OPN-008', 'key', asked);
    },
  }),
]);

/** A leg of a flight that no lookup of this run was about: a new one, or the last that the config names with its legs. */
async function unseenLeg(t: CheckContext): Promise<FlightLeg | null> {
  if (t.state.offers('flights.put')) {
    const route: Route = ['DOH', 'SIN'];
    return legOn(await put(t, [{ route }]), route);
  }
  // The first and the second one are looked up for the shared subscriptions.
  const flight = t.settings.flights.slice(2).findLast(({ legs }) => legs.length > 0);
  const [leg] = flight?.legs ?? [];
  if (!flight || !leg) return null;
  const { flightNumber, departureDate: date } = flight;
  const departureDate = typeof date === 'number' ? utcDate(t.now(), date) : date;
  return departureDate < utcDate(t.now()) ? null : { flightNumber, departureDate, ...leg };
}
