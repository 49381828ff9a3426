import { BudgetExhausted } from '../send/allowance.ts';
import type { Bench, Situation } from './situation.ts';
import { Stage, type Means } from './stage.ts';
import { Steerer } from './steerer.ts';
import { clients } from './webcheckin/clients.ts';
import { foreign } from './webcheckin/foreign.ts';
import { journeys } from './webcheckin/journeys.ts';
import { badKeys, checkinAsks } from './webcheckin/keys.ts';
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

/** What an API has to explore. */
export interface Play<S extends Stage> {
  readonly stage: S;
  readonly situations: readonly Situation<S>[];
  /** Looks for what situations need, and puts the deployment into the state that they expect. */
  readonly prepare: () => Promise<void>;
  /** Puts it back. */
  readonly close: () => Promise<void>;
  /** The look that shows most of what nobody has seen. */
  readonly dueLook: (stage: S, steerer: Steerer<S>) => DueLook | null;
  /** Plain situations: records where something needs one, and what is accepted beside what is not. */
  readonly plain: readonly string[];
}

/** Brings situations of web check-in about until the requests are spent. It asserts nothing. */
export function webCheckin(bench: Bench, exploration: Exploration): Explorer<Stage> {
  const stage = new Stage(bench, exploration);
  const isMoved = stage.offers('automation.set');
  // Records wait until they are moved, as long as the exploration lasts.
  const automate = async (mode: string) => {
    if (isMoved) await stage.step('automation.set', { mode });
  };
  return new Explorer(exploration, {
    ...{ stage, dueLook, situations: situations(bench.now()) },
    plain: ['subscribe international json', 'subscribe international multipart'],
    prepare: async () => {
      await stage.prepare('international');
      await automate('manual');
    },
    close: () => automate('auto'),
  });
}

/** Brings situations about until the requests are spent, or a story once more. */
export class Explorer<S extends Stage> {
  readonly #play: Play<S>;
  readonly #stage: S;
  readonly #steerer: Steerer<S>;
  readonly #exploration: Exploration;
  readonly #situations: ReadonlyMap<string, Situation<S>>;
  /** The rules that were seen broken. */
  readonly #broken = new Set<string>();
  #repeated = 0;

  constructor(exploration: Exploration, play: Play<S>) {
    [this.#exploration, this.#play, this.#stage] = [exploration, play, play.stage];
    this.#steerer = new Steerer(play.situations, exploration);
    this.#situations = new Map(play.situations.map((one) => [one.name, one]));
  }

  /** Whether a story is one of its own. */
  knows(story: readonly string[]): boolean {
    return story.every((name) => name === 'look' || this.#situations.has(name));
  }

  async explore(): Promise<void> {
    await this.#prepared(async () => {
      const { requests, isLate = () => false } = this.#exploration;
      for (const { requirement } of this.#stage.bench.broken()) this.#broken.add(requirement);
      // What comes close together is not told apart: where nothing more may be waited for, the exploration ends.
      const goesOn = () => this.#stage.sent < requests && this.#stage.mayWait(0) && !isLate();
      // A situation that sends nothing costs no request: there is an end to them as well.
      for (let turns = 0; goesOn() && turns < 3 * requests; turns += 1) if (!(await this.#turn())) break;
      await this.#stage.finish();
    });
  }

  async repeat(story: readonly string[]): Promise<void> {
    await this.#prepared(async () => {
      await this.#plain(this.#play.plain);
      await this.#again(story);
      await this.#again(story);
      await this.#stage.finish();
    });
  }

  async #prepared(run: () => Promise<void>): Promise<void> {
    try {
      await this.#play.prepare();
      await run();
    } catch (error) {
      if (!(error instanceof BudgetExhausted)) throw error;
    } finally {
      await this.#play.close();
    }
  }

  /** Brings about what reaches most, or looks where more is unseen; false if nothing is left. */
  async #turn(): Promise<boolean> {
    const [stage, steerer] = [this.#stage, this.#steerer];
    const { requests } = this.#exploration;
    const last = requests - Math.ceil(requests * lastLooks);
    const look = this.#play.dueLook(stage, steerer);
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

  async #bring(situation: Situation<S>): Promise<void> {
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
      if (situation && !situation.isPossible(stage)) await this.#plain(this.#play.plain.slice(0, 1));
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
    ...badKeys(checkinAsks),
    ...clients,
    ...foreign,
    ...leadTimes,
    ...journeys,
    ...twoIdentifiers,
    ...states(),
  ];
}
