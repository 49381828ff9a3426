import type { Api } from '../../core/operations.ts';
import { createRandom, deriveSeed } from '../../core/random.ts';
import { webCheckin } from '../../explore/explore.ts';
import { flightAlerts } from '../../explore/flightAlerts/exploreFlights.ts';
import type { CheckContext } from '../attempt/context.ts';
import type { EngineCheck } from '../suite.ts';

/** What comes on top of the requests of the explorer: the first requests of a run, and the search for itineraries. */
export const explorerReserve = 30;

/** A unit for every second request is more than enough, and so is a subscription for every third. */
const unitShare = 0.5;
const subscriptionShare = 0.35;
/** Subscriptions cannot be taken back. */
const mostSubscriptions = 350;

/** A situation may wait for the pace of its keys, and the run looks once more before it ends. */
const leaveMs = 90_000;

const explorers = { webcheckin: webCheckin, 'flight-alerts': flightAlerts } as const;
const needs = { webcheckin: ['writes', 'quota'], 'flight-alerts': ['writes', 'subscriptions'] } as const;

export function isExplorer({ id }: Pick<EngineCheck, 'id'>): boolean {
  return id.startsWith('explore.');
}

/** What the explorer may spend of a run. */
export interface Extent {
  readonly requests: number;
  readonly units?: number;
  readonly subscriptions?: number;
  /** Milliseconds that it may wait for what a deployment does later. */
  readonly waitMs?: number;
}

/**
 * The explorer of an API as a check of a session: it sends, paced, budgeted, journalled and interrupted like any other, and leaves
 * the judging to the oracles.
 */
export function explorerCheck(extent: Extent, api: Api = 'webcheckin'): EngineCheck {
  const { requests, waitMs } = extent;
  const cost = costOf(extent, api);
  return {
    ...checkOf(cost, api),
    run: (t) => {
      const spare = t.spare();
      return explorers[api](t, {
        ...{ random: randomOf(t), waitMs },
        // Its own requests are planned as well.
        requests: Math.min(requests, requests + spare.requests),
        units: Math.min(cost.quota, spare.units),
        subscriptions: cost.subscriptions,
        isLate: () => t.spare().ms < leaveMs,
      }).explore();
    },
  };
}

function costOf({ requests, units = Infinity, subscriptions = mostSubscriptions }: Extent, api: Api) {
  return api === 'webcheckin'
    ? { requests, quota: Math.min(units, Math.ceil(requests * unitShare)), subscriptions: 0 }
    : { requests, quota: 0, subscriptions: Math.min(subscriptions, Math.ceil(requests * subscriptionShare)) };
}

/** Brings situations about again that showed something. */
export function repeatCheck(story: readonly string[]): EngineCheck {
  const requests = explorerReserve + story.length * 8;
  return {
    ...checkOf({ requests, quota: requests, subscriptions: requests }, 'webcheckin'),
    needs: ['writes'],
    run: async (t) => {
      const means = { random: randomOf(t), requests: Number.POSITIVE_INFINITY };
      const all = [webCheckin(t, means), flightAlerts(t, means)];
      await all.find((one) => one.knows(story))?.repeat(story);
    },
  };
}

function randomOf({ settings }: CheckContext): () => number {
  return createRandom(deriveSeed(settings.seed, 'explore'));
}

function checkOf(cost: ReturnType<EngineCheck['cost']>, api: Api): Omit<EngineCheck, 'run'> {
  return {
    id: `explore.${api}`,
    title: 'situations that the grammar and the state handler can bring about',
    ...{ api, kind: 'fixed', verifies: [], needs: needs[api], tags: ['explore'] },
    ...{ uses: [], exclusive: true, isOneThing: false, rows: null },
    cases: { minCases: 1, maxCases: 1 },
    cost: () => cost,
  };
}
