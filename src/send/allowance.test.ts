import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Allowance, BudgetExhausted, type Reservation } from './allowance.ts';

const limits = { maxRequests: 2, maxQuota: 2, maxSubscriptions: 1 };

test('requests are counted before they are sent, and refused beyond the budget', () => {
  const allowance = new Allowance(limits);
  allowance.takeRequest();
  allowance.takeRequest();
  expect(allowance.requestsLeft).toBe(0);
  expect(() => allowance.takeRequest()).toThrow(new BudgetExhausted('requests', 2));
  expect(allowance.spent).toEqual({ requests: 2, quota: 0, subscriptions: 0 });
});

test('quota units and subscriptions are budgets of their own', async () => {
  const allowance = new Allowance(limits);
  (await allowance.reserveQuota()).spend();
  (await allowance.reserveSubscription()).spend();
  await expect(allowance.reserveSubscription()).rejects.toThrow('the budget of 1 subscriptions is used up');
  (await allowance.reserveQuota()).spend();
  await expect(allowance.reserveQuota()).rejects.toThrow('the budget of 2 quota units is used up');
  expect(allowance.spent).toEqual({ requests: 0, quota: 2, subscriptions: 1 });
});

test('a budget of nothing is used up from the start', async () => {
  const allowance = new Allowance({ maxRequests: 0, maxQuota: 0, maxSubscriptions: 0 });
  expect(() => allowance.takeRequest()).toThrow(BudgetExhausted);
  await expect(allowance.reserveQuota()).rejects.toThrow(BudgetExhausted);
});

test('who finds all units set aside waits until one comes back, and takes it', async () => {
  const allowance = new Allowance(limits);
  const [first, second] = [await allowance.reserveQuota(), await allowance.reserveQuota()];
  const order: string[] = [];
  const third = allowance.reserveQuota().then((unit) => {
    order.push('third');
    return unit;
  });
  first.spend();
  await Promise.resolve();
  order.push('released');
  second.release();
  (await third).spend();
  expect(order).toEqual(['released', 'third']);
  expect(allowance.spent.quota).toBe(2);
});

test('who waits in vain is refused once all units are spent', async () => {
  const allowance = new Allowance(limits);
  const [first, second] = [await allowance.reserveQuota(), await allowance.reserveQuota()];
  const third = allowance.reserveQuota();
  first.spend();
  second.spend();
  await expect(third).rejects.toThrow(BudgetExhausted);
});

test('a unit is settled once, whatever is called afterwards', async () => {
  const allowance = new Allowance(limits);
  const unit = await allowance.reserveQuota();
  unit.release();
  unit.spend();
  unit.release();
  expect(allowance.spent.quota).toBe(0);
  const both = [await allowance.reserveQuota(), await allowance.reserveQuota()];
  for (const one of both) one.spend();
  expect(allowance.spent.quota).toBe(2);
});

test('units spent and set aside never exceed the budget together, and nobody waits for ever', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 4 }),
      fc.array(fc.boolean(), { maxLength: 20 }),
      fc.scheduler(),
      async (maxQuota, outcomes, scheduler) => {
        const allowance = new Allowance({ ...limits, maxQuota });
        let held = 0;
        let most = 0;
        const settle = async (unit: Reservation, spent: boolean) => {
          held += 1;
          most = Math.max(most, held + allowance.spent.quota);
          await scheduler.schedule(Promise.resolve(), 'answer');
          held -= 1;
          if (spent) unit.spend();
          else unit.release();
        };
        const all = outcomes.map((spent) =>
          allowance.reserveQuota().then(
            (unit) => settle(unit, spent),
            (error: unknown) => {
              expect(error).toBeInstanceOf(BudgetExhausted);
            },
          ),
        );
        await scheduler.waitFor(Promise.all(all));
        expect(most).toBeLessThanOrEqual(maxQuota);
        expect(allowance.spent.quota).toBeLessThanOrEqual(outcomes.filter(Boolean).length);
      },
    ),
  );
});

test('a budget that units without proof use up was not planned so, and says how many of them there are', async () => {
  const allowance = new Allowance({ maxRequests: 9, maxQuota: 1, maxSubscriptions: 1 });
  (await allowance.reserveQuota()).spend();
  const refusal = allowance.reserveQuota(() => 1);
  await expect(refusal).rejects.toMatchObject({ isUnplanned: true, isUngranted: false });
  await expect(refusal).rejects.toThrow('used up, 1 of them for repeated subscribes');
  await expect(allowance.reserveQuota(() => 0)).rejects.toMatchObject({ isUnplanned: false });
});
