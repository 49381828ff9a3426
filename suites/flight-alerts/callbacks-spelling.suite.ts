import { type FlightLeg, type Route, fixed, suite } from '../checks.ts';
import { legOn, put } from '../support/flights.ts';
import { subscriber, tellGate } from '../support/notices.ts';

const route: Route = ['DOH', 'SIN'];

/** Other spellings of a leg, each differing in one field, to show which one is not cleaned. */
const respellings: readonly ((leg: FlightLeg) => FlightLeg)[] = [
  (leg) => ({
    ...leg,
    flightNumber: ` ${leg.flightNumber.slice(0, 2).toLowerCase()}-${leg.flightNumber.slice(2)}`,
  }),
  (leg) => ({
    ...leg,
    departure: ` ${leg.departure.toLowerCase()}`,
    arrival: `${leg.arrival.toLowerCase()} `,
  }),
];

export default suite('Flight alerts: notifications of legs that were subscribed in another spelling', [
  fixed({
    id: 'fla.callbacks.spelling',
    title: 'a change is notified whatever spelling the leg was subscribed in',
    verifies: ['FLA-CB-001'],
    needs: ['public-sink', 'state:flights.put', 'state:flights.change'],
    run: async (t) => {
      for (const respell of respellings) {
        const leg = legOn(await put(t, [{ route }]), route);
        const subscribed = await subscriber(t, respell(leg));
        // The upstream source knows the leg only in its own spelling.
        await tellGate(t, { ...subscribed, leg });
      }
    },
  }),
]);
