import type { Violation } from './violation.ts';

/** What sets a case apart: the sentence about it, and after a blank what it is, such as `WCI-CB-026 pnr`. */
export type Trait = string;

interface Case {
  /** The widest sentence first, which holds whatever the case is like. */
  readonly traits: readonly Trait[];
  readonly violation: Violation;
}

const mostWaiting = 500;

/** Which sentence is broken where something that is owed did not come: the one about what no case had in which it came. */
export class Contrast {
  readonly #kept = new Set<Trait>();
  readonly #broken: Case[] = [];

  keep(traits: readonly Trait[]): void {
    for (const trait of traits) this.#kept.add(trait);
  }

  /** The sentence of the violation is told at the end. */
  accuse(traits: readonly Trait[], violation: Violation): void {
    if (this.#broken.length < mostWaiting) this.#broken.push({ traits, violation });
  }

  end(): readonly Violation[] {
    return this.#broken.splice(0).flatMap(({ traits, violation }) => {
      const rule = this.#ruleOf(traits);
      return rule === null ? [] : [{ ...violation, rule }];
    });
  }

  /** Null where it may be one of several. */
  #ruleOf(traits: readonly Trait[]): string | null {
    const [widest = ''] = traits;
    if (!this.#kept.has(widest)) return sentenceOf(widest);
    const suspects = new Set(traits.filter((trait) => !this.#kept.has(trait)).map(sentenceOf));
    const [first] = suspects;
    if (first === undefined) return sentenceOf(widest);
    return suspects.size === 1 ? first : null;
  }
}

function sentenceOf(trait: Trait): string {
  return trait.split(' ', 1)[0] ?? trait;
}
