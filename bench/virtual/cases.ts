import { createRandom } from '../../src/core/random.ts';
import { documentedPolicy, type Policy } from '../../src/reference/policy.ts';
import type { Case } from './virtualRun.ts';

/** Callbacks come seconds after what they tell of. */
const late: Policy = { ...documentedPolicy, callbackDelayMs: 3000, notificationDelayMs: () => 4000 };

const quickMs = 4;

/** Servers and keys that decide how long a run takes. */
export const cases: readonly Case[] = [
  { name: 'quick', title: 'state handler, quick answers', answerMs: always(quickMs) },
  { name: '3-keys', title: 'state handler, three keys', answerMs: always(quickMs), keys: 3 },
  { name: '200ms', title: 'state handler, answers of 200 ms', answerMs: always(200) },
  { name: '1s', title: 'state handler, answers of 1 s', answerMs: always(1000) },
  { name: 'slow', title: 'state handler, answers of 0.2 to 2 s', answerMs: between(200, 2000) },
  {
    name: 'slow-states',
    title: 'answers and state handler of 0.2 to 2 s',
    answerMs: between(200, 2000),
    stateMs: between(200, 2000),
  },
  { name: 'late', title: 'callbacks 3 to 4 s late', answerMs: always(quickMs), policy: late },
  {
    name: 'late-200ms',
    title: 'callbacks 3 to 4 s late, answers of 200 ms',
    answerMs: always(200),
    policy: late,
  },
  { name: '1-key', title: 'one key, no handler', answerMs: always(quickMs), ...without(1) },
  { name: '1-key-1s', title: 'one key, no handler, answers of 1 s', answerMs: always(1000), ...without(1) },
  { name: '2-keys', title: 'a key of each of two enterprises', answerMs: always(quickMs), ...without(2) },
  {
    name: '3-keys-alone',
    title: 'three keys and another enterprise, no handler',
    answerMs: always(quickMs),
    ...without(3),
  },
  {
    name: '3-keys-alone-1s',
    title: 'three keys and another enterprise, no handler, answers of 1 s',
    answerMs: always(1000),
    ...without(3),
  },
];

function without(keys: number): Pick<Case, 'keys' | 'hasHandler' | 'hasOther'> {
  return keys === 2
    ? { keys: 1, hasHandler: false, hasOther: true }
    : { keys, hasHandler: false, hasOther: keys > 1 };
}

function always(ms: number): () => number {
  return () => ms;
}

function between(least: number, most: number): () => number {
  const random = createRandom(15);
  return () => least + (most - least) * random();
}
