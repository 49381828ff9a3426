import {
  type Route,
  all,
  answered,
  changedBySubscribing,
  fixed,
  holdsNowhere,
  keyOf,
  legAt,
  ok,
  oracles,
  passive,
  suite,
} from '../checks.ts';
import {
  callbackMaker,
  callbackOf,
  callbackSubscription,
  legOn,
  lookUp,
  put,
  subscribeTo,
} from '../support/flights.ts';

export default suite('What a lookup does not show', [
  passive('fla', oracles.lookupPrivacy),

  fixed({
    id: 'fla.privacy.values',
    title: 'a lookup of a subscribed leg shows neither its fid nor its URL nor its key',
    verifies: ['FLA-GET-030'],
    uses: ['callback-subscription'],
    run: async (t) => {
      const { leg, body, subscribed } = await callbackSubscription(t);
      const { fid, callbackUrl } = callbackOf(body);
      const seen = await lookUp(t, leg);
      const key = keyOf(subscribed);
      t.judge([subscribed, seen], {
        'FLA-GET-030': all(
          answered(seen, ok),
          holdsNowhere(seen, fid, 'the fid of a subscription'),
          holdsNowhere(seen, callbackUrl, 'the callbackUrl of a subscription'),
          ...(key === null ? [] : [holdsNowhere(seen, key, 'the callback key of a subscription')]),
        ),
      });
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
      const before = await lookUp(t, flight);
      const asked = await subscribeTo(t, legOn(flight, route), callback());
      t.assume(answered(asked, ok).status === 'holds', `${asked.id}: the leg was not subscribed`);
      const after = await lookUp(t, flight);
      const { members, traces } = changedBySubscribing(legAt(before, route), legAt(after, route));
      t.judge([before, asked, after], { 'FLA-GET-031': members, 'FLA-GET-030': traces });
    },
  }),
]);
