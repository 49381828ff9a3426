// `npx vitest run examples/library/vitest.test.js`: a test for each requirement, and one for the gate.
import { createDeployment, defaultEnterprises, openTarget } from 'gatecheck';
import { conformance } from 'gatecheck/vitest';

// In place of this, your own server: anything with a fetch handler, such as a Hono app.
const { enterprises, keys } = defaultEnterprises(1);
const app = createDeployment({ enterprises });
process.env.GATECHECK_KEYS_PRIMARY = keys.primary.join(',');

conformance(
  { target: 'http://127.0.0.1', keys: { primary: 'env:GATECHECK_KEYS_PRIMARY' }, only: ['wci.status.*'] },
  () => ({ openTarget: openTarget({ fetch: (request) => app.fetch(request) }) }),
);
