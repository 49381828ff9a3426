import { expect, test } from 'vitest';
import { FairnessBook } from './fairness.ts';
import { keysNamed, samplePlan } from '../../test/support/load.ts';
import { arrivalsOf, slicesOf } from './arrivals.ts';
import { leasesForTenants } from './leases.ts';
import { noisyTurns } from './noisyTurns.ts';

const keys = Array.from({ length: 10 }, (_, index) => `tenant#${index + 1}`);

/** Each tenant once every 10 ms for twelve seconds; the last one is noisy in every second one. */
function book(
  serviceMs: (atMs: number) => number,
  served: (key: string) => boolean = () => true,
  isSure = true,
) {
  const made = new FairnessBook(keys, noisyTurns(0.8, 12_000));
  for (let atMs = 0; atMs < 12_000; atMs += 10)
    for (const key of keys)
      made.record({ key, kind: served(key) ? 'ok' : 'refused', atMs, serviceMs: serviceMs(atMs) });
  return made.summary(120, isSure);
}

test('tenants that are served alike, and are no slower beside a noisy one', () => {
  expect(book(() => 10)).toMatchObject({
    tenants: 10,
    leastServed: 1200,
    mostServed: 1200,
    jain: 1,
    bytesPerKey: 120,
    noisy: { verdict: 'same', refused: 0 },
  });
});

test('others that get slower as soon as one is noisy are named', () => {
  const slowed = (atMs: number) => (Math.floor(atMs / 1000) % 2 === 0 ? 10 : 30);
  expect(book(slowed).noisy).toMatchObject({
    verdict: 'slower',
    before: { count: 2700 },
    during: { count: 5400 },
  });
  expect(book(slowed, () => true, false).noisy?.verdict).toBe('unsure');
});

test('what slows a machine down for some time is no noisy tenant', () => {
  expect(book((atMs) => (atMs < 6000 ? 10 : 30)).noisy?.verdict).toBe('same');
  expect(book((atMs) => (atMs > 3000 && atMs < 4000 ? 500 : 10)).noisy?.verdict).toBe('same');
});

test('a deployment that serves some and refuses others is unfair', () => {
  const unfair = book(
    () => 10,
    (key) => key < 'tenant#4',
  );
  expect(unfair.jain).toBeLessThan(0.5);
  const examples = ['tenant#4', 'tenant#5', 'tenant#6', 'tenant#7', 'tenant#8'];
  expect(unfair.unserved).toEqual({ count: 6, examples });
});

test('of too few answers nothing is said', () => {
  const made = new FairnessBook(keys, noisyTurns(0.5, 20));
  made.record({ key: 'tenant#2', kind: 'ok', atMs: 0, serviceMs: 1 });
  expect(made.summary(0).noisy?.verdict).toBe('too-few');
});

test('the noisy tenant has its share in every second turn, and the others the rest in turn', () => {
  const tenants = keysNamed(...keys);
  const plan = { ...samplePlan, ratePerSecond: 400, durationMs: 12_000, maxRequests: 1e6 };
  const lease = leasesForTenants(tenants, noisyTurns(0.5, 12_000));
  const leases = lease(slicesOf(plan).flatMap((slice) => [...arrivalsOf(plan, slice)]));
  const noisy = leases.filter(({ key }) => key?.label === 'tenant#10');
  expect(noisy.every(({ arrival }) => Math.floor(arrival.atMs / 1000) % 2 === 1)).toBe(true);
  expect(noisy.length).toBeGreaterThan(1050);
  expect(noisy.length).toBeLessThan(1350);
});
