import {
  type CheckContext,
  type Exchange,
  type Route,
  answered,
  describeResponse,
  fixed,
  keyOf,
  ok,
  recovered,
  responseOf,
  suite,
  upstreamFailed,
} from '../checks.ts';
import { assumeSpecial, callbackMaker, legOn, lookUp, put, subscribeTo } from '../support/flights.ts';

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
      await assumeSpecial(t, sought, flight);
      t.judge(sought, { 'FLA-GET-032': upstreamFailed(sought, 'PROVIDER_UNAVAILABLE') });
      t.judge(asked, { 'FLA-SUB-027': upstreamFailed(asked, 'PROVIDER_UNAVAILABLE') });
      const later = await lookUp(t, flight);
      t.judge([sought, later], { 'FLA-GET-001': answered(later, ok) });
      const retry = await subscribeTo(t, leg);
      t.judge([asked, retry], { 'FLA-SUB-001': answered(retry, ok) });
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
      await assumeSpecial(t, sought, flight);
      t.judge(sought, { 'FLA-GET-033': upstreamFailed(sought, 'INVALID_PROVIDER_DATA') });
      t.judge(asked, { 'FLA-SUB-038': upstreamFailed(asked, 'INVALID_PROVIDER_DATA') });
      const later = await lookUp(t, flight);
      t.judge([sought, later], { 'FLA-GET-001': answered(later, ok) });
    },
  }),

  fixed({
    id: 'fla.upstream.subscription',
    title: 'an unconfirmed tracking is 502 SUBSCRIPTION_FAILED, and the same request succeeds later',
    verifies: ['FLA-SUB-025', 'FLA-SUB-026', 'FLA-OPN-019'],
    needs: ['state:provider.fail', 'state:flights.put'],
    uses: ['callback-subscription'],
    exclusive: true,
    run: async (t) => {
      const callback = (await callbackMaker(t))();
      for (const callbackData of [callback, 'absent' as const]) {
        const leg = legOn(await put(t, [{ route }]), route);
        const asked = await whileFailing(t, 'subscription', () => subscribeTo(t, leg, callbackData));
        t.judge(asked, { 'FLA-SUB-025': upstreamFailed(asked, 'SUBSCRIPTION_FAILED') });
        let retry = await subscribeTo(t, leg, callbackData);
        // How soon the tracking works again is not stated.
        for (const pause of [2, 8, 20, 30]) {
          if (responseOf(retry)?.status !== 502) break;
          await t.sleep(pause * 1000);
          retry = await subscribeTo(t, leg, callbackData);
        }
        t.judge([asked, retry], { 'FLA-SUB-026': recovered(retry) });
        if (callbackData === callback)
          t.observe('FLA-OPN-019', keyOf(retry) === null ? 'stored' : 'nothing-stored', retry);
      }
    },
  }),
]);

/** Lets upstream fail while `send` runs, and work again after it, whatever happens. */
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
