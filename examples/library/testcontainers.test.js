// `node --test examples/library/testcontainers.test.js`: tests a client against the reference in a container. Needs Docker, and the
// image: docker build --target reference -t gatecheck-reference .
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { GatecheckReferenceContainer } from 'gatecheck/testcontainers';

test('the client lists its requests', async () => {
  const image = process.env.GATECHECK_REFERENCE_IMAGE ?? 'gatecheck-reference';
  const reference = await new GatecheckReferenceContainer(image).withSeed(7).start();
  try {
    // In place of this, your own client.
    const answer = await fetch(`${reference.url}/extPartner/api/webcheckin/requests`, {
      headers: { 'X-API-Key': reference.keys.primary[0] },
    });
    equal(answer.status, 200);
  } finally {
    await reference.stop();
  }
});
