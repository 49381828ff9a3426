import { expect, test } from 'vitest';
import * as gatecheck from './index.ts';

test('the public API has these names, and loses one only with a major version', () => {
  expect(Object.keys(gatecheck).sort()).toMatchInlineSnapshot(`
    [
      "GatecheckError",
      "callbackDataFor",
      "checkinId",
      "createDeployment",
      "defaultEnterprises",
      "defineConfig",
      "defineJourney",
      "diffResults",
      "documentedPolicy",
      "exitCodes",
      "filePart",
      "flightCallbackData",
      "flightSubscribe",
      "jsonPart",
      "judgeRecorded",
      "list",
      "listen",
      "loadCatalogue",
      "lookup",
      "memberOf",
      "multipart",
      "openTarget",
      "planRun",
      "renderAsyncApi",
      "renderFlightSubscription",
      "renderOpenApi",
      "resolveSettings",
      "resultSchema",
      "run",
      "startReference",
      "startSink",
      "status",
      "subscribe",
      "textPart",
      "update",
    ]
  `);
});

test('settings come from a config alone', () => {
  const config = gatecheck.defineConfig({
    target: 'https://qa.example.com',
    keys: { primary: 'env:QA' },
    seed: 3,
  });
  const settings = gatecheck.resolveSettings(config, {
    env: { QA: 'k1,k2', GATECHECK_TARGET: 'https://other' },
  });
  expect(settings).toMatchObject({ seed: 3, keys: { primary: ['k1', 'k2'] }, target: { kind: 'url' } });
  expect(JSON.stringify(settings.target)).not.toMatch(/other/);
});
