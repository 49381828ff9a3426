import type { WindowLimit } from '../../core/windowLimit.ts';
import { bySending, type Decision } from '../../judge/limits/decision.ts';
import type { Identification } from '../../judge/limits/identify.ts';
import { sizedTitle } from '../../judge/limits/models.ts';
import { budgetsByScope } from '../../judge/limits/scope.ts';
import type { LimitsFound, LimitsResult } from './limitsSchema.ts';

/** A timeline of one of the two limits, and the limiter that it shows. */
interface LimitsEntry {
  readonly title: string;
  readonly window: WindowLimit;
  readonly decisions: readonly Decision[];
  readonly identification: Identification;
}

/** The same in the shape of result.json, which outlives the process. */
function foundOf(entry: LimitsEntry): LimitsFound {
  return { limiter: limiterOf(entry), models: modelsOf(entry), timelines: timelinesOf(entry) };
}

/** What the limit checks found in all; undefined if none ran. */
export function limitsResult(found: readonly LimitsFound[]): LimitsResult | undefined {
  if (found.length === 0) return undefined;
  return {
    limiters: found.map(({ limiter }) => limiter),
    models: found.flatMap(({ models }) => models),
    timelines: found.flatMap(({ timelines }) => timelines),
  };
}

function limiterOf({ title, window, identification }: LimitsEntry): LimitsFound['limiter'] {
  const { name, like, isDocumented, model, models } = identification;
  return {
    title,
    limit: window.limit,
    windowMs: window.windowMs,
    model,
    name,
    ...(like === null || isDocumented ? {} : { like }),
    documented: isDocumented,
    contradictions: [...(models.find(({ id }) => id === 'rolling-log')?.contradictions ?? [])],
    // What would tell variants of the documented limiter apart says nothing of another one.
    notTried: isDocumented
      ? models.flatMap(({ title: what, needs }) => (needs === null ? [] : [`${what}: needs ${needs}`]))
      : [],
  };
}

function modelsOf({ title, window, identification }: LimitsEntry): LimitsFound['models'] {
  return identification.models
    .filter(({ fits }) => fits !== null)
    .map(({ title: what, bounds, limits, contradictions }) => {
      const fits = bounds.least <= window.limit && bounds.most >= window.limit;
      const other = limits === null || fits ? [] : [`with ${sizeText(limits)} it would fit`];
      return {
        name: `${title}: ${sizedTitle(what, window.limit)}`,
        fits,
        contradictions: [...contradictions, ...other],
      };
    });
}

function sizeText([from, to]: readonly [number, number]): string {
  if (to === Number.POSITIVE_INFINITY) return `${from} or more`;
  return from === to ? String(from) : `${from} to ${to}`;
}

/** If a key sent only a few requests, to see whose budget they use, there is nothing to draw. */
const fewest = 10;

/** A timeline for each key, from its first request on. A lost request is not drawn, since its outcome is unknown. */
function timelinesOf({ title, window, decisions }: LimitsEntry): LimitsFound['timelines'] {
  const budgets = budgetsByScope(decisions, 'key').filter(({ length }) => length >= fewest);
  return budgets.flatMap((ofKey) => {
    const [first] = ofKey;
    if (first === undefined) return [];
    const known = bySending(ofKey).filter(({ ruling }) => ruling !== 'unknown');
    const unknown = ofKey.length - known.length;
    const start = Math.min(...ofKey.map(({ sent }) => sent));
    const excess = excessIn(known, window);
    const timeline = {
      title: `${title}, key ${keyName(first)}${unknown === 0 ? '' : ` (${unknown} more without a verdict)`}`,
      limit: window.limit,
      windowMs: window.windowMs,
      requests: known.map((decision) => ({
        ...tickOf(decision, start),
        ...(excess.has(decision) ? { exchange: decision.id } : {}),
      })),
    };
    return [timeline];
  });
}

/** The admitted requests with which the key had more than its limit in one window. */
function excessIn(sorted: readonly Decision[], { limit, windowMs }: WindowLimit): ReadonlySet<Decision> {
  const admitted = sorted.filter(({ ruling }) => ruling === 'admitted');
  const isBeyond = ({ sent }: Decision, index: number) => {
    const before = admitted[index - limit];
    return before !== undefined && sent - before.sent < windowMs;
  };
  return new Set(admitted.filter(isBeyond));
}

/** `issued#59 of a new enterprise` */
function keyName({ key, enterprise }: Pick<Decision, 'key' | 'enterprise'>): string {
  if (key === null) return 'none';
  if (enterprise === null || !key.startsWith('issued')) return key;
  return `${key} of ${enterprise.startsWith('new-') ? 'a new enterprise' : enterprise}`;
}

function tickOf({ sent, ruling }: Decision, start: number) {
  return { atMs: Math.round(sent - start), admitted: ruling === 'admitted' };
}

/** The title of the minute limit. */
export const minuteTitle = 'Minute limit';

/** What the limit checks of a run found, for the reports; one entry per title. */
export class KnownLimits {
  readonly #found = new Map<string, LimitsFound>();
  readonly #decisions = new Map<string, readonly Decision[]>();
  readonly #onFound: (found: LimitsFound) => void;

  /** `onFound` gets every entry, also of a try that is not kept. */
  constructor(onFound: (found: LimitsFound) => void = () => undefined) {
    this.#onFound = onFound;
  }

  get found(): readonly LimitsFound[] {
    return [...this.#found.values()];
  }

  of(title: string): LimitsFound | null {
    return this.#found.get(title) ?? null;
  }

  /** The requests that show it; none of an earlier part of a run that was resumed. */
  decisions(title: string): readonly Decision[] {
    return this.#decisions.get(title) ?? [];
  }

  /** Whether the minute limit was seen to be the documented one, so that no key uses up the budget of another. */
  get isByKey(): boolean {
    return this.of(minuteTitle)?.limiter.documented === true;
  }

  note(entry: LimitsEntry): void {
    if (this.take(foundOf(entry))) this.#decisions.set(entry.title, entry.decisions);
  }

  /** Of several tries of one check, the one that contradicts the documents is kept. Whether this one is. */
  take(found: LimitsFound): boolean {
    this.#onFound(found);
    const { title } = found.limiter;
    const isKept = this.of(title)?.limiter.documented !== false;
    if (isKept) this.#found.set(title, found);
    return isKept;
  }
}
