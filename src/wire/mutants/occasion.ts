import type { Passing, Setup } from '../stage.ts';
import type { Spot } from '../spots.ts';
import type { Traits } from '../traits.ts';
import type { Mutant } from './place.ts';

/** Decides when a mutant's condition holds; counts the occasions, since a restart comes after so many of them. */
export class Occasion {
  readonly #mutant: Pick<Mutant, 'condition' | 'path' | 'after'>;
  #met = 0;

  constructor(mutant: Pick<Mutant, 'condition' | 'path' | 'after'>) {
    this.#mutant = mutant;
  }

  /** Whether it holds for this message; what depends on a position in it is left to `holdsAt`. */
  holds(traits: Traits): boolean {
    const { condition, after } = this.#mutant;
    this.#met += 1;
    if (condition === 'restarted') return this.#met > after;
    return this.#isPositional() || traits.has(condition);
  }

  /** Whether it holds for this place of the message. */
  holdsAt({ indexes }: Pick<Spot, 'indexes'>): boolean {
    return !this.#isPositional() || indexes.some((index) => index > 0);
  }

  #isPositional(): boolean {
    return this.#mutant.condition === 'further' && isListed(this.#mutant.path);
  }
}

/** Whether a path leads through items, so that the position distinguishes the first from further ones. */
export function isListed(path: string): boolean {
  return path.includes('[]');
}

/** What builds the interference of a mutant. */
export interface Acting {
  readonly mutant: Mutant;
  readonly stage: Setup;
  readonly occasion: Occasion;
}

/** Whether an exchange is at the mutant's place, as far as the request shows. */
export function isAt({ mutant }: Pick<Acting, 'mutant'>, { asked }: Pick<Passing, 'asked'>): boolean {
  return asked.operation === mutant.about && (mutant.carrier === null || mutant.carrier === asked.carrier);
}
