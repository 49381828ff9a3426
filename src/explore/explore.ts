import type { Bench, Situation } from './situation.ts';
import { Stage } from './stage.ts';
import { Steerer } from './steerer.ts';
import { foreign } from './webcheckin/foreign.ts';
import { journeys } from './webcheckin/journeys.ts';
import { badKeys } from './webcheckin/keys.ts';
import { leadTimes } from './webcheckin/leadTimes.ts';
import { dueLook } from './webcheckin/looks.ts';
import { reads } from './webcheckin/reads.ts';
import { refusals } from './webcheckin/refusals.ts';
import { races, readiness, repeats, twoIdentifiers } from './webcheckin/repeats.ts';
import { states } from './webcheckin/states.ts';
import { subscribes } from './webcheckin/subscribes.ts';
import { updates } from './webcheckin/updates.ts';

export interface Exploration {
  readonly random: () => number;
  /** Requests to send; what the fixtures of a run send comes on top. */
  readonly requests: number;
  /** Called with each situation before it is brought about. */
  readonly onSituation?: (name: string) => void;
}

/** How requests are spread over the families, in proportion; a family that has nothing new leaves its requests to the others. */
const shares: Readonly<Record<string, number>> = {
  looks: 12,
  bookings: 6,
  bundles: 6,
  'faults of bodies': 2,
  'faults of clocks': 4,
  'faults of flights': 4,
  'faults of passengers': 5,
  'faults of callbacks': 3,
  'forms of bodies': 2,
  'forms of clocks': 5,
  'forms of flights': 3,
  'forms of passengers': 6,
  'spelled clocks': 3,
  journeys: 3,
  'forms of callbacks': 3,
  readiness: 8,
  repeats: 3,
  races: 1,
  updates: 11,
  'update faults': 5,
  'update forms': 3,
  reads: 2,
  lists: 8,
  'unknown records': 4,
  'odd requests': 2,
  'raw bodies': 2,
  parts: 3,
  keys: 5,
  foreign: 5,
  'lead times': 4,
  progress: 7,
  deliveries: 3,
  'ended records': 2,
  accounts: 9,
  clocks: 1,
};

/** Brings situations of web check-in about until the requests are spent. It asserts nothing. */
export async function exploreWebCheckin(
  bench: Bench,
  { random, requests, onSituation }: Exploration,
): Promise<void> {
  const stage = new Stage(bench, random);
  const steerer = new Steerer(situations(bench.now()), { shares, random });
  await stage.prepare('international');
  if (stage.offers('automation.set')) await stage.step('automation.set', { mode: 'manual' });
  // A situation that sends nothing costs no request: there is an end to them as well.
  const last = requests - Math.ceil(requests * lastLooks);
  for (let turns = 0; stage.sent < requests && turns < 3 * requests; turns += 1) {
    const look = dueLook(stage, steerer);
    const isLast = stage.sent >= last;
    const least =
      look === null ? 0 : isLast ? Number.POSITIVE_INFINITY : look.worth * steerer.demandOf('looks', 1);
    const situation = steerer.next(stage, { most: Math.max(1.3, last - stage.sent), least });
    if (situation === null && look === null) break;
    if (situation === null) {
      steerer.take({ family: 'looks', cells: look?.cells ?? [], price: 1 });
      onSituation?.('look');
      await look?.look();
      continue;
    }
    steerer.take(situation);
    onSituation?.(situation.name);
    await situation.bring(stage);
  }
  await stage.settle();
}

/** The share of the requests that is left for looks at what happened last. */
const lastLooks = 0.05;

function situations(now: number): readonly Situation<Stage>[] {
  return [
    ...subscribes(now),
    ...readiness(),
    ...repeats,
    ...races,
    ...updates(),
    ...reads(),
    ...refusals(),
    ...badKeys,
    ...foreign,
    ...leadTimes,
    ...journeys,
    ...twoIdentifiers,
    ...states(),
  ];
}
