import { createRandom, deriveSeed } from '../core/random.ts';
import { exploreWebCheckin } from '../explore/explore.ts';
import type { EngineCheck } from './suite.ts';

/** The explorer of web check-in as a check: it sends, paced and budgeted like any other, and leaves the judging to the oracles. */
export function explorerCheck(requests: number): EngineCheck {
  const cost = { requests, quota: Math.ceil(requests * 0.5), subscriptions: 0 };
  return {
    id: 'explore.webcheckin',
    title: 'situations that the grammar and the state handler can bring about',
    ...{ api: 'webcheckin', kind: 'fixed', verifies: [], needs: ['writes', 'quota'], tags: ['explore'] },
    ...{ uses: [], exclusive: false, isOneThing: false, rows: null },
    cases: { minCases: 1, maxCases: 1 },
    cost: () => cost,
    run: async (t) => {try { await
      exploreWebCheckin(t, { random: createRandom(deriveSeed(t.settings.seed, 'explore')), requests, onSituation: (globalThis as any).__sit }); } catch (e) { throw e; } },
  };
}
