import type { Finding } from '../engine/findings/finding.ts';
import { isPassive } from './causeTraits.ts';

/** A requirement, with those that say less of the same mistake. */
export interface RowWidth {
  readonly id: string;
  readonly narrows?: readonly string[] | undefined;
}

/** What one mistake breaks besides the sentence that tells most of it, by the `narrows` of the catalogue. */
export class Narrowing {
  readonly #depths = new Map<string, number>();
  readonly #everywhere: ReadonlySet<string>;
  readonly #narrows: ReadonlyMap<string, readonly string[]>;

  constructor(findings: readonly Finding[], rows: readonly RowWidth[]) {
    const broken = new Set(findings.map(({ requirement }) => requirement));
    this.#everywhere = new Set(findings.filter(isEverywhere).map(({ requirement }) => requirement));
    this.#narrows = new Map(
      rows
        .filter(({ id }) => broken.has(id))
        .map(({ id, narrows = [] }) => [id, narrows.filter((wider) => broken.has(wider))]),
    );
    for (const id of broken) this.#reach(id, 0);
  }

  /** How far down a finding stands among those of its cause: 0 unless something narrower is broken, less where all that was judged breaks it. */
  placeOf({ requirement }: Finding): number {
    const depth = this.#depths.get(requirement) ?? 0;
    return depth === 0 && this.#everywhere.has(requirement) ? -1 : depth;
  }

  /** What a finding has in common with those of narrower and of wider sentences. */
  traitsOf({ requirement }: Finding): readonly string[] {
    return [...this.#narrows].flatMap(([id, wider]) => {
      if (id === requirement) return wider.map((one) => `${id} narrows ${one}`);
      return wider.includes(requirement) ? [`${id} narrows ${requirement}`] : [];
    });
  }

  /** The catalogue has no circle of them, and a result of another origin none that does not end here. */
  #reach(id: string, depth: number): void {
    if ((this.#depths.get(id) ?? -1) >= depth || depth > this.#narrows.size) return;
    this.#depths.set(id, depth);
    for (const wider of this.#narrows.get(id) ?? []) this.#reach(wider, depth + 1);
  }
}

/** So many samples are more than an unlucky few. */
const many = 10;

/** Whether nearly all of many samples break a rule. */
function isEverywhere(finding: Finding): boolean {
  const [broken = 0, judged = 0] = finding.confirmed.split(' of ').map(Number);
  return isPassive(finding) && judged >= many && broken * 10 >= judged * 9;
}
