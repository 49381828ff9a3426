import { type Route, fixed, suite, utcDate } from '../checks.ts';
import { secondsTo } from '../support/clocks.ts';
import { legOn, put } from '../support/flights.ts';
import { subscriber, tellGate } from '../support/notices.ts';

/** Seven hours behind UTC: late in the evening there it is the next day in UTC. */
const route: Route = ['LAX', 'SIN'];
const behind = { departure: { utcOffsetSeconds: -25_200 } };

export default suite('Flight alerts: past midnight in UTC', [
  fixed({
    id: 'fla.callbacks.past-in-utc',
    title: 'a change of a leg that departs tonight is notified although its date is past in UTC',
    verifies: ['FLA-CB-033'],
    needs: ['public-sink', 'state:flights.put', 'state:flights.change', 'state:clock.advance'],
    exclusive: true,
    run: async (t) => {
      if (!t.state.clock.has('dates')) t.skip('clock.advance of the state handler does not move dates');
      await t.state.set('clock.advance', { seconds: secondsTo(t, 23, 30) });
      const departureDate = utcDate(t.now());
      const flight = await put(t, [{ route, hour: 22, changes: behind }], { departureDate });
      const tonight = await subscriber(t, legOn(flight, route));
      await t.state.set('clock.advance', { seconds: 3600 });
      await tellGate(t, tonight);
    },
  }),
]);
