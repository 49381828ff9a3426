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

test('a mistake can be asked for, and changes what is answered', async () => {
  await using reference = await startReference({ defects: ['default-limit-twenty'] });
  const headers = { 'X-API-Key': reference.keys.primary[0] ?? '' };
  const answer = await fetch(`${reference.url}/extPartner/api/webcheckin/requests`, { headers });
  const { pagination } = (await answer.json()) as { pagination: { limit: number } };
  expect(pagination.limit).not.toBe(25);
});

test('a mistake that changes what was sent, does so over HTTP as well', async () => {
  await using reference = await startReference({ defects: ['clock-later-departure-converted'] });
  const headers = { 'X-API-Key': reference.keys.primary[0] ?? '', 'Content-Type': 'application/json' };
  const body = JSON.stringify({ flights: [{}], passengers: [{}] });
  const address = `${reference.url}/extPartner/api/webcheckin/subscribe`;
  expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(400);
});

test.each<[object, string]>([
  [{ defect: ['x'] }, "startReference has no option 'defect' (did you mean 'defects'?)."],
  [{ defects: ['no-such'] }, "the reference has no defect 'no-such'"],
  [{ defects: 'no-such' }, 'expected defects as a list of ids'],
  [
    { limits: { perMinut: 5 } },
    "limits of the reference has no option 'perMinut' (did you mean 'perMinute'?). It has: perMinute, perHour.",
  ],
  [{ policy: { noSuch: true } }, "policy of startReference has no option 'noSuch'."],
])('what does not exist is a TypeError: %o', async (options, message) => {
  const started = startReference(options);
  await expect(started).rejects.toThrow(TypeError);
  await expect(started).rejects.toThrow(message);
});
