// A state handler for a server on Express. It stands in the test environment only: whoever reaches it can make keys.
// `accounts` stands for the storage of your server; the states call the same functions as your own administration does.
//
//     npm install express
//     node examples/state-handler/express.js            # PORT=3000
//     npx gatecheck doctor --target http://127.0.0.1:3000 --state-handler http://127.0.0.1:3000/_state

import { randomUUID } from 'node:crypto';
import express from 'express';

const accounts = new Map(); // key → { active, enterprise }

function issue(enterprise, count = 1) {
  return Array.from({ length: Math.min(count, 1_000) }, () => {
    const key = randomUUID();
    accounts.set(key, { active: true, enterprise });
    return key;
  });
}

function accountOf({ key }) {
  const account = accounts.get(key);
  if (!account) throw new BadRequest('params.key is not a key of this environment');
  return account;
}

class BadRequest extends Error {}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const states = {
  capabilities: () => ({ states: Object.keys(states), now: new Date().toISOString(), clock: [] }),
  'enterprise.create': ({ included_units = 0, keys = 1 }) => {
    const enterprise = { status: 'active', included_units, consumed_units: 0 };
    return { keys: issue(enterprise, keys) };
  },
  'keys.issue': (params) => ({ keys: issue(accountOf(params).enterprise, params.count) }),
  'keys.revoke': (params) => void (accountOf(params).active = false),
  'keys.disable': (params) => void (accountOf(params).active = false),
  'entitlement.set': ({ key, ...entitlement }) =>
    void Object.assign(accountOf({ key }).enterprise, entitlement),
  'entitlement.get': (params) => accountOf(params).enterprise,
};

export const app = express();

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

app.post('/_state', express.text({ type: () => true, limit: '64kb' }), (request, response) => {
  const asked = parse(request.body);
  const { state, params = {} } = asked ?? {};
  if (!isObject(asked) || !isObject(params)) {
    response.status(400).json({ ok: false, error: 'expected {"state": name, "params": {…}}' });
    return;
  }
  if (!Object.hasOwn(states, String(state))) {
    response.status(501).json({ ok: false, error: 'UNSUPPORTED_STATE' });
    return;
  }
  try {
    response.json({ ok: true, ...states[state](params) });
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    response.status(400).json({ ok: false, error: error.message });
  }
});

// One operation of the API, to show that the states take effect: the rest is your server.
app.get('/extPartner/api/webcheckin/requests', (request, response) => {
  if (!accounts.get(request.get('X-API-Key'))?.active) {
    response
      .status(401)
      .json({ success: false, error: 'UNAUTHORIZED', message: 'This API key is not valid.' });
    return;
  }
  response.json({ success: true, data: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } });
});

if (import.meta.main) {
  const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
    console.log(`listens on http://127.0.0.1:${server.address().port}`),
  );
}
