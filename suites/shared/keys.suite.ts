import {
  type ApiRequest,
  type CheckContext,
  type RequestOptions,
  fixed,
  noKey,
  responseOf,
  suite,
} from '../checks.ts';
import { freshEnterprise } from '../support/enterprises.ts';
import { flightCall, recordCall, recordOperations } from '../support/calls.ts';
import { untilRefused, untilRefusedEverywhere, withKey } from '../support/keys.ts';
import { anyLookup, anyRead, namedReads, readsOf } from '../support/reads.ts';

export default suite('Authentication: life of a key', [
  deadKey('revoked', 'SHR-AUT-006'),
  deadKey('disabled', 'SHR-AUT-007'),

  fixed({
    id: 'shared.keys.revoke',
    title: 'a key that is revoked gets 401, and the other keys of its enterprise still work',
    verifies: ['SHR-AUT-006', 'SHR-AUT-008', 'SHR-AUT-009', 'SHR-OPN-011'],
    needs: ['state:enterprise.create', 'state:keys.revoke'],
    run: async (t) => {
      const { keys } = await freshEnterprise(t, { keys: 2 });
      const [first, second] = keys;
      if (!first || !second) return;
      await usable(t, first);
      await usable(t, second);
      await t.state.set('keys.revoke', { key: first.value });
      await observeDeath(t, first);
      for (const read of readsOf(t, { key: withKey(second) })) await t.send(read);
    },
  }),

  fixed({
    id: 'shared.keys.disable',
    title: 'a key that is disabled gets 401',
    verifies: ['SHR-AUT-007', 'SHR-OPN-011'],
    needs: ['state:enterprise.create', 'state:keys.disable'],
    run: async (t) => {
      const { key } = await freshEnterprise(t);
      await usable(t, key);
      await t.state.set('keys.disable', { key: key.value });
      await observeDeath(t, key);
    },
  }),

  deadEverywhere('revoke', 'SHR-AUT-006'),
  deadEverywhere('disable', 'SHR-AUT-007'),

  fixed({
    id: 'shared.keys.other-places',
    title: 'a key in the query or in a cookie does not authenticate',
    verifies: ['SHR-AUT-011'],
    // A server may log its requests, so only a worthless key is sent.
    needs: ['state:enterprise.create'],
    run: async (t) => {
      const { key } = await freshEnterprise(t);
      await t.each(namedReads(t, noKey), async ({ request: bare }) => {
        const closed = await t.send(bare);
        t.assume(responseOf(closed)?.status === 401, 'the operation is served without any key');
        for (const request of elsewhere(bare, key.value)) await t.send(request);
      });
    },
  }),

  fixed({
    id: 'shared.keys.lasting',
    title: 'a key is still valid after three days, and one that was revoked before is still refused',
    verifies: ['SHR-AUT-006', 'SHR-AUT-014'],
    needs: ['state:enterprise.create', 'state:clock.advance'],
    exclusive: true,
    run: async (t) => {
      if (!t.state.clock.has('dates')) t.skip('the state handler moves the limits only, not the time');
      const { key, keys } = await freshEnterprise(t, { keys: 2 });
      const dead = t.state.offers('keys.revoke') ? keys[1] : undefined;
      await usable(t, key);
      if (dead) await t.state.set('keys.revoke', { key: dead.value });
      await t.state.set('clock.advance', { seconds: 3 * 86_400 });
      await t.send(anyRead(t, { key: withKey(key) }));
      if (!dead) return t.skip('the state handler revokes no key');
      await untilRefused(t, anyRead(t, { key: withKey(dead) }));
    },
  }),
]);

/** How soon a key that is dead by now is refused on both APIs, within a minute on all nodes. */
async function observeDeath(t: CheckContext, key: Parameters<typeof withKey>[0]): Promise<void> {
  const { last, letInS, again } = await untilRefusedEverywhere(t, readsOf(t, { key: withKey(key) }));
  const after = `let in for ${letInS} s`;
  const isAgain = again.some((one) => responseOf(one)?.status === 200);
  if (letInS === 0) t.observe('SHR-OPN-011', 'at-once', last);
  else t.observe('SHR-OPN-011', isAgain ? 'node-by-node' : 'delayed', last, after);
}

/** The same request with a key in the query or in a cookie. */
function elsewhere(bare: ApiRequest, value: string): readonly ApiRequest[] {
  const named = ['X-API-Key', 'api_key', 'apiKey'].map((name) => `${name}=${encodeURIComponent(value)}`);
  return [
    ...named.map((pair) => ({ ...bare, query: `${bare.query}&${pair}` })),
    { ...bare, headers: [['Cookie', `X-API-Key=${value}`]] },
  ];
}

/** A key that was given as one to be refused. */
function deadKey(name: 'revoked' | 'disabled', row: string) {
  return fixed({
    id: `shared.keys.${name}`,
    title: `a ${name} key gets 401 on both APIs`,
    verifies: [row],
    needs: [`${name}-key`],
    run: (t) =>
      t.each(namedReads(t, withKey(t.specialKey(name))), async ({ request }) => {
        await untilRefused(t, request);
      }),
  });
}

/** A formerly active key, on every operation that the cheapest read does not cover. */
function deadEverywhere(name: 'revoke' | 'disable', row: string) {
  return fixed({
    id: `shared.keys.${name}-everywhere`,
    title: `a key that is ${name}d gets 401 on every operation`,
    verifies: [row],
    needs: ['writes', 'state:enterprise.create', `state:keys.${name}`],
    run: async (t) => {
      const { key } = await freshEnterprise(t);
      await usable(t, key);
      await t.state.set(`keys.${name}`, { key: key.value });
      const since = t.monotonic();
      await t.each(operationsOf(t, { key: withKey(key) }), async ({ request }) => {
        await untilRefused(t, request, since);
      });
    },
  });
}

function operationsOf(t: CheckContext, options: RequestOptions) {
  const named = (name: string, request: ApiRequest) => ({ name, request });
  return [
    ...(t.apis.includes('webcheckin')
      ? recordOperations.map((operation) => named(operation, recordCall(t, operation, options)))
      : []),
    ...(t.apis.includes('flight-alerts')
      ? [named('lookup', anyLookup(t, options)), named('flight subscribe', flightCall(t, options))]
      : []),
  ];
}

async function usable(t: CheckContext, key: Parameters<typeof withKey>[0]): Promise<void> {
  const x = await t.send(anyRead(t, { key: withKey(key) }));
  const code = responseOf(x)?.status ?? 0;
  t.assume(
    code !== 0 && code !== 401,
    'a key that the state handler gave out was not accepted to begin with',
  );
}
