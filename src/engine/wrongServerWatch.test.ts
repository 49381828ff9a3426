import { expect, test } from 'vitest';
import { exchange } from '../../test/support/judge/exchanges.ts';
import type { Exchange } from '../core/evidence.ts';
import { BudgetExhausted } from '../send/allowance.ts';
import { WrongServerWatch } from './wrongServerWatch.ts';

const page = (id: string): Exchange => ({
  ...exchange({ operation: 'wci.status', status: 403, raw: '<html>no</html>' }),
  id,
});
const known = (id: string): Exchange => ({
  ...exchange({ operation: 'wci.status', body: { success: true } }),
  id,
});

/** A watch whose reads are answered like this. */
function watching(reads: () => Exchange) {
  const [lost, state]: [string[], { looks: number }] = [[], { looks: 0 }];
  const watch: WrongServerWatch = new WrongServerWatch({
    stillAnswers: (own) => {
      state.looks += 1;
      return Promise.resolve(own.note(reads()));
    },
    onWrongServer: ({ id }) => lost.push(id),
  });
  const seeAll = async (count: number, made: (id: string) => Exchange = page) => {
    for (let index = 1; index <= count; index += 1) await watch.see(made(`e${index}`));
  };
  return { watch, lost, state, seeAll };
}

test('six strange answers in a row, and reads that are answered so as well: something else answers now', async () => {
  const { watch, lost, state, seeAll } = watching(() => page('read'));
  await seeAll(5);
  expect([state.looks, lost]).toEqual([0, []]);
  await seeAll(1, () => page('e6'));
  expect([state.looks, lost]).toEqual([1, ['e6']]);
  expect(watch.strange).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'read']);
});

test('a deployment that answers what it refuses with pages, and reads as it should, is asked ever less often', async () => {
  const { watch, lost, state, seeAll } = watching(() => known('read'));
  await seeAll(6);
  expect([state.looks, lost, watch.strange]).toEqual([1, [], []]);
  await seeAll(11);
  expect(state.looks).toBe(1);
  await seeAll(1);
  expect(state.looks).toBe(2);
});

test('an answer of the API, or none at all, ends no doubt and begins none', async () => {
  const { watch, state, seeAll } = watching(() => page('read'));
  await seeAll(5);
  await watch.see(exchange({ operation: 'wci.status', lost: true }));
  expect(watch.strange).toHaveLength(5);
  await watch.see(known('later'));
  expect(watch.strange).toEqual([]);
  await seeAll(5);
  expect(state.looks).toBe(0);
});

test('where no request is left for the reads, the doubt remains', async () => {
  const { lost, watch, seeAll } = watching(() => {
    throw new BudgetExhausted('requests', 0);
  });
  await seeAll(7);
  expect([lost, watch.strange.length]).toEqual([[], 7]);
});

test('a run that ends with strange answers looks before it believes them', async () => {
  const { watch, lost, state, seeAll } = watching(() => page('read'));
  await watch.look();
  expect(state.looks).toBe(0);
  await seeAll(2);
  await watch.look();
  expect(lost).toEqual(['e2']);
});
