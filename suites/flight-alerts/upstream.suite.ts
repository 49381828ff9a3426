import {
  type CheckContext,
  type Delivery,
  type Exchange,
  type Judgement,
  type Route,
  describeResponse,
  fixed,
  holds,
  keyOf,
  notThatOf,
  responseOf,
  suite,
} from '../checks.ts';
import { callbackMaker, legOn, lookUp, put, subscribeTo } from '../support/flights.ts';
import { freshEnterprise, withKey } from '../support/enterprises.ts';
import { Patience } from '../support/latestLeg.ts';
import { authorizationsOf, tellGate } from '../support/notices.ts';

const route: Route = ['DOH', 'SIN'];

export default suite('Flight alerts: when upstream fails', [
  fixed({
    id: 'fla.upstream.unavailable',
    title:
      'while upstream cannot be reached both operations are 502 PROVIDER_UNAVAILABLE, and later they work',
    verifies: ['FLA-GET-001', 'FLA-GET-032', 'FLA-SUB-001', 'FLA-SUB-027'],
    needs: ['state:provider.fail', 'state:flights.put'],
    exclusive: true,
    run: async (t) => {
      const flight = await put(t, [{ route }]);
      const leg = legOn(flight, route);
      const [sought, asked] = await whileFailing(t, 'unavailable', async () => [
        await lookUp(t, flight),
        await subscribeTo(t, leg),
      ]);
      assumeFailing(t, sought, asked);
      await lookUp(t, flight);
      await subscribeTo(t, leg);
    },
  }),

  fixed({
    id: 'fla.upstream.invalid-data',
    title:
      'while upstream sends invalid data both operations are 502 INVALID_PROVIDER_DATA, and later they work',
    verifies: ['FLA-GET-001', 'FLA-GET-033', 'FLA-SUB-038'],
    needs: ['state:provider.fail', 'state:flights.put', 'subscriptions', 'writes'],
    exclusive: true,
    run: async (t) => {
      const flight = await put(t, [{ route }]);
      const [sought, asked] = await whileFailing(t, 'invalid-data', async () => [
        await lookUp(t, flight),
        await subscribeTo(t, legOn(flight, route)),
      ]);
      assumeFailing(t, sought, asked);
      await lookUp(t, flight);
    },
  }),

  fixed({
    id: 'fla.upstream.subscription',
    title:
      'an unconfirmed tracking is 502 SUBSCRIPTION_FAILED for a subscribe alone, and the same request succeeds later',
    verifies: ['FLA-SUB-025', 'FLA-SUB-026', 'FLA-GET-080', 'FLA-OPN-019'],
    needs: ['state:provider.fail', 'state:flights.put'],
    uses: ['callback-subscription'],
    exclusive: true,
    run: async (t) => {
      const callback = (await callbackMaker(t))();
      for (const callbackData of [callback, 'absent' as const]) {
        const leg = legOn(await put(t, [{ route }]), route);
        await whileFailing(t, 'subscription', async () => {
          await subscribeTo(t, leg, callbackData);
          if (callbackData === callback) await lookUp(t, leg);
        });
        const retry = await retried(t, () => subscribeTo(t, leg, callbackData));
        if (callbackData === callback)
          t.observe('FLA-OPN-019', keyOf(retry) === null ? 'stored' : 'nothing-stored', retry);
      }
    },
  }),

  fixed({
    id: 'fla.upstream.subscription-key',
    title: 'a callback whose first subscribe was not confirmed has a key that an answer returned',
    verifies: ['FLA-CB-003'],
    needs: [
      'public-sink',
      'state:provider.fail',
      'state:flights.put',
      'state:flights.change',
      'state:enterprise.create',
    ],
    exclusive: true,
    run: async (t) => {
      // A partner without an earlier key.
      const key = withKey((await freshEnterprise(t)).key);
      const leg = legOn(await put(t, [{ route }]), route);
      const address = t.callbacks.open('flight-alerts');
      const callback = { fid: t.identities.fid(), callbackUrl: `${address.url}/retried` };
      const send = () => subscribeTo(t, leg, callback, key);
      const asked = await whileFailing(t, 'subscription', send);
      t.assume(responseOf(asked)?.status === 502, `${asked.id}: the tracking was confirmed`);
      const retry = await retried(t, send);
      t.assume(responseOf(retry)?.status === 200, `${retry.id}: the same request does not succeed later`);
      const { deliveries } = await tellGate(t, { leg, address, callback, key, subscribed: retry });
      t.assume(deliveries.length > 0, 'a change of the leg is not notified');
      t.judge([asked, retry, ...deliveries], {
        'FLA-CB-003': carriesReturnedKey(deliveries, [asked, retry]),
      });
    },
  }),
]);

/** Whether deliveries carry a key that one of the answers returned. What the keys are stays out of the judgement. */
function carriesReturnedKey(deliveries: readonly Delivery[], answers: readonly Exchange[]): Judgement {
  const returned = answers.map(keyOf);
  const isKnown = authorizationsOf(deliveries).every((value) => returned.includes(value));
  return isKnown ? holds : notThatOf('unreturned', 'header Authorization', 'an answer');
}

/** Repeats a request until the upstream source works: how soon tracking does is not stated. */
function retried(t: CheckContext, send: () => Promise<Exchange>): Promise<Exchange> {
  return new Patience(t).askedUntil(send, (retry) => responseOf(retry)?.status !== 502);
}

/** Makes the upstream source fail while `send` runs, and work again afterwards, whatever happens. */
async function whileFailing<T>(t: CheckContext, mode: string, send: () => Promise<T>): Promise<T> {
  await t.state.set('provider.fail', { mode });
  try {
    return await send();
  } finally {
    await t.state.set('provider.fail', { mode: null });
  }
}

/** A handler that says that upstream fails while everything works proves nothing about the deployment. */
function assumeFailing(t: CheckContext, ...exchanges: readonly Exchange[]): void {
  t.assume(
    exchanges.some((exchange) => responseOf(exchange)?.status !== 200),
    `provider.fail had no effect: ${exchanges.map(describeResponse).join(', ')}`,
  );
}
