import { expect, test } from 'vitest';
import { FairnessBook } from './fairness.ts';
import { keysNamed, samplePlan } from '../../test/support/load.ts';
import { arrivalsOf, slicesOf } from './arrivals.ts';
import { leasesForTenants } from './leases.ts';

const keys = Array.from({ length: 10 }, (_, index) => `tenant#${index + 1}`);

/** Each tenant once every 10 ms for ten seconds; the first one becomes noisy after five. */
function book(serviceMs: (atMs: number) => number, served: (key: string) => boolean = () => true) {
  const made = new FairnessBook(keys, { share: 0.8, fromMs: 5000 });
  for (let atMs = 0; atMs < 10_000; atMs += 10)
    for (const key of keys)
      made.record({ key, kind: served(key) ? 'ok' : 'refused', atMs, serviceMs: serviceMs(atMs) });
  return made.summary(120);
}

test('tenants that are served alike, and are no slower beside a noisy one', () => {
  expect(book(() => 10)).toMatchObject({
    tenants: 10,
    leastServed: 1000,
    mostServed: 1000,
    jain: 1,
    bytesPerKey: 120,
    noisy: { verdict: 'same', refused: 0 },
  });
});

test('others that get slower as soon as one is noisy are named', () => {
  const { noisy } = book((atMs) => (atMs < 5000 ? 10 : 30));
  expect(noisy).toMatchObject({ verdict: 'slower', before: { count: 4500 }, during: { count: 4500 } });
});

test('a deployment that serves some and refuses others is unfair', () => {
  expect(
    book(
      () => 10,
      (key) => key < 'tenant#4',
    ).jain,
  ).toBeLessThan(0.5);
});

test('of too few answers nothing is said', () => {
  const made = new FairnessBook(keys, { share: 0.5, fromMs: 10 });
  made.record({ key: 'tenant#2', kind: 'ok', atMs: 0, serviceMs: 1 });
  expect(made.summary(0).noisy?.verdict).toBe('too-few');
});

test('the noisy tenant has its share in the second half, and the others the rest in turn', () => {
  const tenants = keysNamed(...keys);
  const plan = { ...samplePlan, ratePerSecond: 400, durationMs: 10_000, maxRequests: 1e6 };
  const lease = leasesForTenants(tenants, { share: 0.5, fromMs: 5000 });
  const leases = lease(slicesOf(plan).flatMap((slice) => [...arrivalsOf(plan, slice)]));
  const noisy = leases.filter(({ key }) => key?.label === 'tenant#1');
  expect(noisy.every(({ arrival }) => arrival.atMs >= 5000)).toBe(true);
  expect(noisy.length).toBeGreaterThan(850);
  expect(noisy.length).toBeLessThan(1150);
});
