import {
  defineJourney,
  flightCallbackData,
  flightSubscribe,
  lookup,
  memberOf,
  renderFlightSubscription,
} from '../../src/load/journeys/front.ts';

/** A traveller's app that is told of changes: looks a flight up, subscribes with a callback, and waits for what changes. */
export const followChanges = defineJourney({
  id: 'follow-changes',
  title: 'look a flight up, subscribe to its leg with a callback, wait for two changes of the gate',
  apis: ['flight-alerts'],
  needs: ['writes', 'flight-changes'],
  weight: 2,
  cost: { requests: 6, subscriptions: 1 },
  run: async (partner) => {
    const leg = await partner.flight('new flight');
    const query = { flightNumber: leg.flightNumber, departureDate: leg.departureDate };
    await partner.send('lookup', lookup(query));
    await partner.think(2000);
    const told = partner.address('flight-alerts');
    const callback = flightCallbackData(told, partner.identities.fid());
    await partner.send('subscribe', flightSubscribe(renderFlightSubscription(leg, callback)));
    await partner.think(1000);
    await partner.changeFlight('change', leg, told);
    await partner.think(1000);
    await partner.changeFlight('another change', leg, told);
  },
});

/** A retry of the network beside the first try: the same first registration of a callback several times at once. */
export const registrationRace = defineJourney({
  id: 'registration-race',
  title: 'the same flight subscription with a callback three times at once, then a change',
  apis: ['flight-alerts'],
  needs: ['writes', 'flight-changes'],
  cost: { requests: 9, subscriptions: 1 },
  run: async (partner) => {
    const leg = await partner.flight('new flight');
    const told = partner.address('flight-alerts');
    const callback = flightCallbackData(told, partner.identities.fid());
    const body = renderFlightSubscription(leg, callback);
    const answers = await partner.together(
      'subscribe',
      [1, 2, 3].map(() => flightSubscribe(body)),
    );
    const keys = answers.map((answer) => memberOf(answer, 'callbackApiKey')).filter((key) => key != null);
    if (keys.length === 0) partner.fail('subscribe', 'no answer brought the callbackApiKey');
    await partner.changeFlight('change', leg, told);
  },
});
