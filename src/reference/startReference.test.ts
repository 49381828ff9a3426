import { expect, test } from 'vitest';
import { startReference } from './startReference.ts';

test('both APIs answer behind a port, with keys and a state handler', async () => {
  await using reference = await startReference();
  const { url, keys, stateHandlerUrl } = reference;
  const headers = { 'X-API-Key': keys.primary[0] ?? '' };
  const answer = await fetch(`${url}/extPartner/api/webcheckin/requests`, { headers });
  expect(await answer.json()).toMatchObject({ success: true, data: [] });
  expect(stateHandlerUrl).toBe(`${url}/_state`);
});
