import { afterAll, beforeAll, expect, test } from 'vitest';
import { GatecheckReferenceContainer, type StartedGatecheckReference } from '../src/testcontainers.ts';
import { buildImages, missingEngine } from './support/images.ts';

const missing = missingEngine();
if (missing !== null) console.warn(`Tests of the container of the reference are skipped: ${missing}.`);
let reference: StartedGatecheckReference | null = null;

beforeAll(async () => {
  if (missing !== null) return;
  // Nothing is pulled in tests; what is started here is stopped below.
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';
  const { reference: image } = buildImages();
  reference = await new GatecheckReferenceContainer(image)
    .withSeed(7)
    .withDefects('lookup-cacheable')
    .withLimits(2, 100)
    .start();
}, 300_000);
afterAll(() => reference?.stop(), 60_000);

test.skipIf(missing !== null)(
  'the reference stands in a container, with its keys, limits and state handler',
  async () => {
    if (reference === null) throw new Error('the container does not stand');
    const { url, stateHandlerUrl } = reference;
    const [key = ''] = reference.keys.primary;
    const list = () => fetch(`${url}/extPartner/api/webcheckin/requests`, { headers: { 'X-API-Key': key } });
    expect([(await list()).status, (await list()).status, (await list()).status]).toEqual([200, 200, 429]);
    const states = await fetch(stateHandlerUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'capabilities', params: {} }),
    });
    expect(await states.json()).toMatchObject({ ok: true });
  },
);
