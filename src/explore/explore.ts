import { BudgetExhausted } from '../send/allowance.ts';
import type { Bench, Situation } from './situation.ts';
import { Stage, type Means } from './stage.ts';
import { Steerer } from './steerer.ts';
import { clients } from './webcheckin/clients.ts';
import { foreign } from './webcheckin/foreign.ts';
import { journeys } from './webcheckin/journeys.ts';
import { badKeys } from './webcheckin/keys.ts';
import { leadTimes } from './webcheckin/leadTimes.ts';
import { dueLook, lookAt, type DueLook } from './webcheckin/looks.ts';
import { reads } from './webcheckin/reads.ts';
import { refusals } from './webcheckin/refusals.ts';
import { races, readiness, repeats, twoIdentifiers } from './webcheckin/repeats.ts';
import { states } from './webcheckin/states.ts';
import { subscribes } from './webcheckin/subscribes.ts';
import { updates } from './webcheckin/updates.ts';

export interface Exploration extends Means {
  /** Requests to send; what the fixtures of a run send comes on top. */
  readonly requests: number;
  /** Whether the run ends soon, so that nothing more is begun. */
  readonly isLate?: () => boolean;
}

type Wci = Situation<Stage>;

/** The share of the requests that is left for looks at what happened last. */
const lastLooks = 0.05;
/** A look waits until it shows so much more than the best situation reaches: others may add to it. */
const patience = 2;
/** Most broken rules that are brought about again. */
const mostConfirmed = 20;
/** Plain bookings: records where something needs one, and what is accepted beside what is not. */
const plain = ['subscribe international json', 'subscribe international multipart'];

/** Brings situations of web check-in about until the requests are spent. It asserts nothing. */
export async function exploreWebCheckin(bench: Bench, exploration: Exploration): Promise<void> {
  await new Explorer(bench, exploration).explore();
}

/** Brings these situations about once more, with fresh records. */
export async function repeatWebCheckin(bench: Bench, means: Means, story: readonly string[]): Promise<void> {
  await new Explorer(bench, { ...means, requests: Number.POSITIVE_INFINITY }).repeat(story);
}

class Explorer {
  readonly #stage: Stage;
  readonly #steerer: Steerer<Stage>;
  readonly #exploration: Exploration;
  readonly #situations: ReadonlyMap<string, Wci>;
  /** The rules that were seen broken. */
  readonly #broken = new Set<string>();
  #repeated = 0;

  constructor(bench: Bench, exploration: Exploration) {
    const all = situations(bench.now());
    this.#exploration = exploration;
    this.#stage = new Stage(bench, exploration);
    this.#steerer = new Steerer(all, exploration);
    this.#situations = new Map(all.map((one) => [one.name, one]));
  }

  async explore(): Promise<void> {
    await this.#prepared(async () => {
      const { requests, isLate = () => false } = this.#exploration;
      for (const { requirement } of this.#stage.bench.broken()) this.#broken.add(requirement);
      // A situation that sends nothing costs no request: there is an end to them as well.
      for (let turns = 0; this.#stage.sent < requests && turns < 3 * requests && !isLate(); turns += 1)
        if (!(await this.#turn())) break;
      await this.#stage.settle();
    });
  }

  async repeat(story: readonly string[]): Promise<void> {
    await this.#prepared(async () => {
      await this.#plain(plain);
      await this.#again(story);
      await this.#again(story);
      await this.#stage.settle();
    });
  }

  /** Records wait until they are moved, as long as the exploration lasts. */
  async #prepared(run: () => Promise<void>): Promise<void> {
    const stage = this.#stage;
    const isMoved = stage.offers('automation.set');
    try {
      await stage.prepare('international');
      if (isMoved) await stage.step('automation.set', { mode: 'manual' });
      await run();
    } catch (error) {
      if (!(error instanceof BudgetExhausted)) throw error;
    } finally {
      if (isMoved) await stage.step('automation.set', { mode: 'auto' });
    }
  }

  /** Brings about what reaches most, or looks where more is unseen; false if nothing is left. */
  async #turn(): Promise<boolean> {
    const [stage, steerer] = [this.#stage, this.#steerer];
    const { requests } = this.#exploration;
    const last = requests - Math.ceil(requests * lastLooks);
    const look = dueLook(stage, steerer);
    const isLast = stage.sent >= last;
    const least = look === null ? 0 : isLast ? Number.POSITIVE_INFINITY : look.gain / patience;
    const situation = steerer.next(stage, {
      ...{ most: Math.max(1.3, last - stage.sent), least },
      units: stage.units,
    });
    if (situation !== null) await this.#bring(situation);
    else if (look !== null) await this.#look(look);
    await this.#confirm();
    return situation !== null || look !== null;
  }

  async #bring(situation: Wci): Promise<void> {
    this.#steerer.take(situation);
    this.#stage.begin(situation.name);
    try {
      await situation.bring(this.#stage);
    } catch (error) {
      // What needs a unit is left out once they are spent; the rest goes on.
      if (!(error instanceof BudgetExhausted) || error.budget === 'requests') throw error;
    }
  }

  async #look({ beside, look }: DueLook): Promise<void> {
    this.#steerer.take({ cells: [], beside });
    this.#stage.begin('look');
    await look();
  }

  /** Brings about again what broke a rule for the first time: once may be an accident. */
  async #confirm(): Promise<void> {
    const stage = this.#stage;
    for (const id of stage.sentNow) stage.bench.tellStory(id, stage.storyOf());
    const fresh = stage.bench.broken().filter(({ requirement }) => !this.#broken.has(requirement));
    for (const { requirement, count, evidence, records } of fresh) {
      this.#broken.add(requirement);
      const [record] = records.flatMap((one) => stage.book.get(one) ?? []);
      const story = stage.storyOf(record);
      for (const id of evidence.filter((one) => stage.sentNow.includes(one)))
        stage.bench.tellStory(id, story);
      const isAffordable = stage.sent + story.length <= this.#exploration.requests;
      if (count === 1 && isAffordable && this.#repeated < mostConfirmed) {
        this.#repeated += 1;
        await this.#again(story);
      }
    }
  }

  async #plain(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#situations.get(name)?.bring(this.#stage);
  }

  /** The same situations in the same order, with a record of their own; a look comes last. */
  async #again(story: readonly string[]): Promise<void> {
    const stage = this.#stage;
    stage.begin(story.at(-1) ?? '');
    stage.focus = 'next';
    for (const name of story) {
      const situation = this.#situations.get(name);
      stage.goOn(name);
      if (situation && !situation.isPossible(stage)) await this.#plain(plain.slice(0, 1));
      if (situation?.isPossible(stage) === true) await situation.bring(stage);
    }
    const own = stage.focus as Stage['focus'];
    if (own !== null && own !== 'next') await lookAt(stage, own);
    stage.focus = null;
  }
}

function situations(now: number): readonly Wci[] {
  return [
    ...subscribes(now),
    ...readiness(),
    ...repeats,
    ...races,
    ...updates(),
    ...reads(),
    ...refusals(),
    ...badKeys,
    ...clients,
    ...foreign,
    ...leadTimes,
    ...journeys,
    ...twoIdentifiers,
    ...states(),
  ];
}
