import { createRandom, deriveSeed } from '../core/random.ts';
import { exploreWebCheckin } from '../explore/explore.ts';
import type { EngineCheck } from './suite.ts';

/** What comes on top of the requests of the explorer: the first requests of a run, and the search for itineraries. */
export const explorerReserve = 30;

/** A unit for every second request is more than enough. */
const unitShare = 0.5;

/**
 * The explorer of web check-in as a check of a session: it sends, paced, budgeted, journalled and interrupted like any other, and leaves
 * the judging to the oracles. It is no check of a suite, and so far only `prove --explore` runs it.
 */
export function explorerCheck(requests: number): EngineCheck {
  const cost = { requests, quota: Math.ceil(requests * unitShare), subscriptions: 0 };
  return {
    id: 'explore.webcheckin',
    title: 'situations that the grammar and the state handler can bring about',
    ...{ api: 'webcheckin', kind: 'fixed', verifies: [], needs: ['writes', 'quota'], tags: ['explore'] },
    ...{ uses: [], exclusive: false, isOneThing: false, rows: null },
    cases: { minCases: 1, maxCases: 1 },
    cost: () => cost,
    run: (t) =>
      exploreWebCheckin(t, { random: createRandom(deriveSeed(t.settings.seed, 'explore')), requests }),
  };
}
