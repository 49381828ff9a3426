import {
  defineJourney,
  flightSubscribe,
  list,
  lookup,
  memberOf,
  renderFlightSubscription,
} from '../../src/load/journeys/front.ts';

/** A dashboard: reads the list page by page, as a person who looks for one record. */
export const dashboard = defineJourney({
  id: 'dashboard',
  title: 'page through the list of requests',
  apis: ['webcheckin'],
  needs: [],
  weight: 2,
  cost: { requests: 8 },
  run: async (partner) => {
    const limit = '50';
    for (let page = 0; page < 5; page += 1) {
      const answer = await partner.send('page', list({ page: String(page), limit }));
      const pages = memberOf(answer, 'pagination', 'totalPages');
      if (typeof pages !== 'number' || page + 1 >= pages) return;
      await partner.think(1500);
    }
  },
});

/** A traveller's app: looks a flight up, follows one leg of it, and looks again. */
export const followFlight = defineJourney({
  id: 'follow-flight',
  title: 'look a flight up, subscribe to a leg, look again',
  apis: ['flight-alerts'],
  needs: ['writes', 'flight'],
  weight: 2,
  cost: { requests: 6, subscriptions: 1 },
  run: async (partner) => {
    const leg = partner.material.leg ?? partner.fail('lookup', 'no leg is known that the target serves');
    const query = { flightNumber: leg.flightNumber, departureDate: leg.departureDate };
    await partner.send('lookup', lookup(query));
    await partner.think(2000);
    await partner.send('subscribe', flightSubscribe(renderFlightSubscription(leg, 'absent')));
    await partner.think(3000);
    await partner.send('look again', lookup(query));
  },
});
