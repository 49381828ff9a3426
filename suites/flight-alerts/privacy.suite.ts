import { isDeepStrictEqual } from 'node:util';
import {
  type AnswerObject,
  type Judgement,
  type Route,
  all,
  answered,
  differs,
  fixed,
  holds,
  is,
  isObject,
  keyOf,
  legAt,
  ok,
  suite,
  unclear,
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
import { holdsNowhere } from '../support/shownFlights.ts';

export default suite('What a lookup does not show', [
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

/** Names that data of a subscription may have. */
const telling = /subscri|callback|history|watch|track|^fid$/i;

/**
 * What a subscription changed in a leg that did not change upstream: its members, and the values of members named
 * like data of a subscription. Other extra members may change with every answer.
 */
function changedBySubscribing(
  before: AnswerObject | null,
  after: AnswerObject | null,
): { readonly members: Judgement; readonly traces: Judgement } {
  if (!before || !after) {
    const nothing = unclear('one of the two lookups does not show the leg');
    return { members: nothing, traces: nothing };
  }
  return { members: sameNames(before, after), traces: judgeTraces(before, after) };
}

function sameNames(before: AnswerObject, after: AnswerObject): Judgement {
  const [old, now] = [namesIn(before), namesIn(after)];
  const added = now.find((name) => !old.includes(name));
  const gone = old.find((name) => !now.includes(name));
  if (added !== undefined)
    return differs('members', added, is.value(undefined, 'as before'), is.text('a member'));
  return gone === undefined ? holds : differs('members', gone, is.text('a member, as before'), is.absent);
}

function judgeTraces(before: AnswerObject, after: AnswerObject): Judgement {
  const changed = Object.keys(after).find(
    (name) => telling.test(name) && !isDeepStrictEqual(before[name], after[name]),
  );
  return changed === undefined
    ? holds
    : differs('trace', changed, is.value(before[changed], 'as before'), is.value(after[changed]));
}

/** Dotted names of all members, those inside of objects included. */
function namesIn(leg: AnswerObject): readonly string[] {
  return Object.entries(leg).flatMap(([name, value]) =>
    isObject(value) ? [name, ...Object.keys(value).map((inner) => `${name}.${inner}`)] : [name],
  );
}
