// `node --test examples/library/node.test.js`: judges a server of this process, without a port.
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { createDeployment, defaultEnterprises, openTarget, resolveSettings, run } from 'gatecheck';

// In place of this, your own server: anything with a fetch handler, such as a Hono app.
const { enterprises, keys } = defaultEnterprises(1);
const app = createDeployment({ enterprises });
process.env.GATECHECK_KEYS_PRIMARY = keys.primary.join(',');

test('the server conforms', async () => {
  const settings = resolveSettings({
    target: 'http://127.0.0.1',
    keys: { primary: 'env:GATECHECK_KEYS_PRIMARY' },
    only: ['wci.status.*'],
  });
  const { result, exitCode } = await run(settings, {
    openTarget: openTarget({ fetch: (request) => app.fetch(request) }),
  });
  const broken = result.requirements.filter(({ verdict }) => verdict === 'fail');
  equal(broken.map(({ id, reason }) => `${id}: ${reason}`).join('\n'), '');
  // 3 where nothing could be judged, such as with a wrong path or key: nothing is broken there either.
  equal(exitCode, 0, result.summary.reasons.join(' '));
});
