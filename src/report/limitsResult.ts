import type { LimitsEntry } from '../engine/limitsBook.ts';
import { bySending, type Decision } from '../judge/limits/decision.ts';
import { sizedTitle } from '../judge/limits/models.ts';
import { budgetsByScope } from '../judge/limits/scope.ts';
import type { LimitsResult } from './result.ts';

/** What the limit checks found, in the shape of result.json; undefined if none ran. */
export function limitsResult(entries: readonly LimitsEntry[]): LimitsResult | undefined {
  if (entries.length === 0) return undefined;
  return {
    limiters: entries.map(limiterOf),
    models: entries.flatMap(modelsOf),
    timelines: entries.flatMap(timelinesOf),
  };
}

function limiterOf({ title, window, identification }: LimitsEntry) {
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

function modelsOf({ title, window, identification }: LimitsEntry): NonNullable<LimitsResult['models']> {
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
function timelinesOf({ title, window, decisions }: LimitsEntry): NonNullable<LimitsResult['timelines']> {
  const start = Math.min(...decisions.map(({ sent }) => sent));
  const budgets = budgetsByScope(decisions, 'key').filter(({ length }) => length >= fewest);
  return budgets.map((ofKey) => {
    const known = bySending(ofKey).filter(({ ruling }) => ruling !== 'unknown');
    const unknown = ofKey.length - known.length;
    return {
      title: `${title}, key ${ofKey[0]?.key ?? 'none'}${unknown === 0 ? '' : ` (${unknown} more without a verdict)`}`,
      limit: window.limit,
      windowMs: window.windowMs,
      requests: known.map((decision) => tickOf(decision, start)),
    };
  });
}

function tickOf({ sent, ruling }: Decision, start: number) {
  return { atMs: Math.round(sent - start), admitted: ruling === 'admitted' };
}
