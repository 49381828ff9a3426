import type { Bench, Situation } from './situation.ts';
import { Stage } from './stage.ts';
import { Steerer } from './steerer.ts';
import { foreign } from './webcheckin/foreign.ts';
import { badKeys } from './webcheckin/keys.ts';
import { leadTimes } from './webcheckin/leadTimes.ts';
import { dueLook } from './webcheckin/looks.ts';
import { reads } from './webcheckin/reads.ts';
import { refusals } from './webcheckin/refusals.ts';
import { races, readiness, repeats } from './webcheckin/repeats.ts';
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

/** How much a look has to show to be worth a request, compared with the cells of a situation. */
const worthALook = 0.5;

/** Brings situations of web check-in about until the requests are spent. It asserts nothing. */
export async function exploreWebCheckin(bench: Bench, { random, requests, onSituation }: Exploration): Promise<void> {
  const stage = new Stage(bench, random);
  const steerer = new Steerer(situations(bench.now()), random);
  await stage.prepare('international');
  if (stage.offers('automation.set')) await stage.step('automation.set', { mode: 'manual' });
  // A situation that sends nothing costs no request: there is an end to them as well.
  for (let turns = 0; stage.sent < requests && turns < 3 * requests; turns += 1) {
    const look = dueLook(stage, steerer);
    if (look !== null && look.worth >= worthALook * (1 + stage.random())) {
      steerer.reach(look.cells);
      onSituation?.('look');
      await look.look();
      continue;
    }
    const situation = steerer.next(stage, Math.max(1.3, requests - stage.sent));
    if (situation === null) break;
    steerer.reach(situation.cells);
    onSituation?.(situation.name);
    await situation.bring(stage);
  }
}

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
    ...states(),
  ];
}
