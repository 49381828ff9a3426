import { createRandom, deriveSeed } from '../core/random.ts';
import { exploreWebCheckin, repeatWebCheckin } from '../explore/explore.ts';
import type { EngineCheck } from './suite.ts';

/** What comes on top of the requests of the explorer: the first requests of a run, and the search for itineraries. */
export const explorerReserve = 30;

/** A unit for every second request is more than enough. */
const unitShare = 0.5;

/** A situation may wait for the pace of its keys, and the run looks once more before it ends. */
const leaveMs = 90_000;

export const explorerId = 'explore.webcheckin';

/** What the explorer may spend of a run. */
export interface Extent {
  readonly requests: number;
  readonly units?: number;
  /** Milliseconds that it may wait for what a deployment does later. */
  readonly waitMs?: number;
}

/**
 * The explorer of web check-in as a check of a session: it sends, paced, budgeted, journalled and interrupted like any other, and leaves
 * the judging to the oracles.
 */
export function explorerCheck({ requests, units, waitMs }: Extent): EngineCheck {
  const quota = Math.min(units ?? Number.POSITIVE_INFINITY, Math.ceil(requests * unitShare));
  return {
    ...checkOf({ requests, quota, subscriptions: 0 }),
    run: (t) => {
      const spare = t.spare();
      return exploreWebCheckin(t, {
        random: createRandom(deriveSeed(t.settings.seed, 'explore')),
        // Its own requests are planned as well.
        requests: Math.min(requests, requests + spare.requests),
        units: Math.min(quota, spare.units),
        waitMs,
        isLate: () => t.spare().ms < leaveMs,
      });
    },
  };
}

/** Brings situations about again that showed something. */
export function repeatCheck(story: readonly string[]): EngineCheck {
  const requests = explorerReserve + story.length * 8;
  return {
    ...checkOf({ requests, quota: requests, subscriptions: 0 }),
    run: (t) => repeatWebCheckin(t, { random: createRandom(deriveSeed(t.settings.seed, 'explore')) }, story),
  };
}

function checkOf(cost: ReturnType<EngineCheck['cost']>): Omit<EngineCheck, 'run'> {
  return {
    id: explorerId,
    title: 'situations that the grammar and the state handler can bring about',
    ...{ api: 'webcheckin', kind: 'fixed', verifies: [], needs: ['writes', 'quota'], tags: ['explore'] },
    ...{ uses: [], exclusive: true, isOneThing: false, rows: null },
    cases: { minCases: 1, maxCases: 1 },
    cost: () => cost,
  };
}
