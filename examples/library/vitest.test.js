// `npx vitest run examples/library/vitest.test.js`: each broken requirement is told by its id.
import { createDeployment, defaultEnterprises, openTarget, resolveSettings, run } from 'gatecheck';
import { expect, test } from 'vitest';

// In place of this, your own server: anything with a fetch handler, such as a Hono app.
const { enterprises, keys } = defaultEnterprises(1);
const app = createDeployment({ enterprises });
process.env.GATECHECK_KEYS_PRIMARY = keys.primary.join(',');

test('the server conforms', { timeout: 120_000 }, async () => {
  const settings = resolveSettings({
    target: 'http://127.0.0.1',
    keys: { primary: 'env:GATECHECK_KEYS_PRIMARY' },
    only: ['wci.status.*'],
  });
  const { result, exitCode } = await run(settings, {
    openTarget: openTarget({ fetch: (request) => app.fetch(request) }),
  });
  expect(result.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  // 3 where nothing could be judged, such as with a wrong path or key: nothing is broken there either.
  expect(exitCode, result.summary.reasons.join(' ')).toBe(0);
});
