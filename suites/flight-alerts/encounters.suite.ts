import {
  type Exchange,
  type Judgement,
  all,
  answered,
  differs,
  holds,
  is,
  keyOf,
  ok,
  type Route,
  fixed,
  isAccepted,
  responseOf,
  routesOf,
  suite,
  utcDate,
} from '../checks.ts';
import {
  type LegToPut,
  awayFromMidnight,
  callbackMaker,
  callbackSubscription,
  legOn,
  lookUp,
  put,
  subscribeTo,
} from '../support/flights.ts';

const route: Route = ['DOH', 'SIN'];

/** What upstream has where no leg or more than one is on the route; the last flight is not known at all. */
const unmatched: readonly (readonly LegToPut[])[] = [
  [
    { route, hour: 6 },
    { route, hour: 17 },
  ],
  [{ route: ['DOH', 'BKK'] }],
  [],
];

export default suite('Flight alerts: subscriptions that meet each other', [
  fixed({
    id: 'fla.new.race',
    title: 'identical subscribes at the same time make one subscription with one key',
    verifies: ['FLA-SUB-029'],
    needs: ['state:flights.put'],
    uses: ['callback-subscription'],
    run: async (t) => {
      await callbackSubscription(t);
      const callback = (await callbackMaker(t))();
      const leg = legOn(await put(t, [{ route }]), route);
      const answers = await Promise.all(Array.from({ length: 5 }, () => subscribeTo(t, leg, callback)));
      // Where answers come at once, that none was sent after another is on no wire.
      t.judge(answers, {
        'FLA-SUB-029': all(...answers.map((answer) => answered(answer, ok)), oneKeyOf(answers)),
      });
    },
  }),

  fixed({
    id: 'fla.new.ambiguous',
    title: 'a route that two flights of one number and date have is 409 AMBIGUOUS_FLIGHT',
    verifies: ['FLA-SUB-024', 'FLA-OPN-022'],
    needs: ['state:flights.put', 'writes', 'subscriptions'],
    run: async (t) => {
      const flight = await put(t, [
        { route, hour: 6 },
        { route, hour: 17 },
      ]);
      const seen = await lookUp(t, flight);
      const shown = routesOf(seen).length;
      if (shown > 0) t.observe('FLA-OPN-022', shown > 1 ? 'several-elements' : 'one-element', seen);
      await subscribeTo(t, legOn(flight, route));
    },
  }),

  fixed({
    id: 'fla.new.after-unmatched',
    title: 'a subscribe that no leg or more than one matches registers nothing',
    verifies: ['FLA-SUB-043'],
    needs: ['state:flights.put'],
    uses: ['callback-subscription'],
    run: async (t) => {
      await callbackSubscription(t);
      const callback = await callbackMaker(t);
      // A flight for each, so that no subscription of one leg is mistaken for one of the other.
      for (const legs of unmatched) {
        const unknown = { flightNumber: t.identities.flightNumber(), departureDate: utcDate(t.now(), 12) };
        const leg = legOn(legs.length === 0 ? unknown : await put(t, legs), route);
        await subscribeTo(t, leg, callback());
        await put(t, [{ route }], leg);
        await subscribeTo(t, leg, callback());
      }
    },
  }),

  fixed({
    id: 'fla.new.departed',
    title: 'a leg of today that has departed can be subscribed, or is unknown',
    verifies: ['FLA-OPN-023'],
    needs: ['state:flights.put'],
    run: async (t) => {
      await awayFromMidnight(t);
      // In Bangkok this hour of the UTC day is over before the day begins in UTC.
      const departedRoute: Route = ['BKK', 'SIN'];
      const leg = { route: departedRoute, hour: 0, changes: { status: 'arrival' } };
      const flight = await put(t, [leg], { departureDate: utcDate(t.now()) });
      const asked = await subscribeTo(t, legOn(flight, departedRoute));
      if (isAccepted(asked)) t.observe('FLA-OPN-023', 'accepted', asked);
      else if (responseOf(asked)?.status === 404) t.observe('FLA-OPN-023', 'not-found-404', asked);
    },
  }),

  fixed({
    id: 'fla.new.enterprises',
    title: 'two enterprises subscribe to one leg, each with its own callback',
    verifies: ['FLA-SUB-028'],
    needs: ['state:flights.put', 'other-enterprise'],
    uses: ['callback-subscription'],
    run: async (t) => {
      const callback = await callbackMaker(t);
      const leg = legOn(await put(t, [{ route }]), route);
      await callbackSubscription(t);
      const [theirKey] = t.keys.other;
      t.assume(theirKey !== undefined, 'there is no key of another enterprise');
      const key = theirKey === undefined ? undefined : ({ kind: 'key', key: theirKey } as const);
      const [mine, theirs] = [callback(), callback()];
      for (const [callbackData, by] of [[mine], [theirs, key], [mine], [theirs, key]] as const)
        await subscribeTo(t, leg, callbackData, by);
    },
  }),
]);

/** Whether simultaneous identical subscribes return one key in total. The same key twice counts as one. */
function oneKeyOf(exchanges: readonly Exchange[]): Judgement {
  const keys = new Set(exchanges.map(keyOf).filter((key) => key !== null));
  if (keys.size === 1) return holds;
  const got = is.text(`${keys.size} different ones`);
  return differs('keys', 'callbackApiKey', is.text('one in all answers'), got);
}
