import { type Route, fixed, suite } from '../checks.ts';
import { callbackMaker, callbackSubscription, legOn, lookUp, put, subscribeTo } from '../support/flights.ts';

export default suite('What a lookup does not show', [
  fixed({
    id: 'fla.privacy.values',
    title: 'a lookup of a subscribed leg shows neither its fid nor its URL nor its key',
    verifies: ['FLA-GET-030'],
    uses: ['callback-subscription'],
    run: async (t) => {
      const { leg } = await callbackSubscription(t);
      await lookUp(t, leg);
    },
  }),

  fixed({
    id: 'fla.privacy.before-and-after',
    title: 'a subscription changes nothing in what the lookup shows of the leg',
    verifies: ['FLA-GET-030', 'FLA-GET-031'],
    needs: ['state:flights.put'],
    uses: ['callback-subscription'],
    run: async (t) => {
      const callback = await callbackMaker(t);
      const route: Route = ['DOH', 'SIN'];
      const flight = await put(t, [{ route }]);
      await lookUp(t, flight);
      await subscribeTo(t, legOn(flight, route), callback());
      await lookUp(t, flight);
    },
  }),
]);
