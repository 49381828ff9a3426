import type { SessionEnd } from '../../engine/health/runEnd.ts';
import type { RunResult } from '../../report/result.ts';

/** What a monitor remembers of a deployment from round to round. */
export interface Watched {
  /** Requirements that fail, with their titles. */
  readonly failing: Readonly<Record<string, string>>;
  /** Rounds in a row that could not judge. */
  readonly blind: number;
  /** Whether it was told that nothing can be judged. */
  readonly isLost: boolean;
}

export const healthy: Watched = { failing: {}, blind: 0, isLost: false };

/** Something that people are told: once, when it begins, and once when it is over. */
export interface Alert {
  readonly kind: 'failing' | 'recovered' | 'lost' | 'back';
  readonly text: string;
  readonly requirements: readonly string[];
}

/** One round that could not judge may be the network of a moment. */
const blindRounds = 2;

/** What a round changes. What it did not judge stays as it was: only a pass says that something is fixed. */
export function compareRound(
  before: Watched,
  result: RunResult | null,
  why = '',
): { after: Watched; alerts: readonly Alert[] } {
  if (result === null || isBlind(result)) return blindRound(before, why);
  const verdictOf = new Map(result.requirements.map((one) => [one.id, one.verdict]));
  const failed = result.requirements.filter(
    (one) => one.verdict === 'fail' && one.level === 'must' && !one.baselined,
  );
  const added = failed.filter(({ id }) => !(id in before.failing));
  const kept = Object.entries(before.failing).filter(([id]) => verdictOf.get(id) !== 'pass');
  const fixed = Object.keys(before.failing).filter((id) => verdictOf.get(id) === 'pass');
  const failing = {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(added.map(({ id, title }) => [id, title])),
  };
  const left = Object.keys(failing).length;
  const rest = left === 0 ? 'Nothing fails any more' : `${left} still ${left === 1 ? 'fails' : 'fail'}`;
  const alerts: Alert[] = [
    ...(before.isLost ? [{ kind: 'back' as const, text: 'It can be judged again.', requirements: [] }] : []),
    ...(added.length > 0
      ? [
          {
            kind: 'failing' as const,
            text: added.map(({ id, title }) => `${id} ${title}`).join('; '),
            requirements: added.map(({ id }) => id),
          },
        ]
      : []),
    ...(fixed.length > 0
      ? [
          {
            kind: 'recovered' as const,
            text: `${fixed.join(', ')} passes again. ${rest}.`,
            requirements: fixed,
          },
        ]
      : []),
  ];
  return { after: { failing, blind: 0, isLost: false }, alerts };
}

/** Whether a round shows nothing: it judged nothing, or only the answers of a target that was lost or refused its key. */
export function isBlind(result: RunResult): boolean {
  const { passed, failed } = result.summary;
  return failed === 0 && (passed === 0 || hasLost(result));
}

/** Whether a round ended because the target was lost, refused its key or was another server. */
export function hasLost({ run }: RunResult): boolean {
  return lostEnds.has(run.end ?? 'completed');
}

const lostEnds: ReadonlySet<string> = new Set<SessionEnd>(['target-lost', 'key-refused', 'not-this-api']);

function blindRound(before: Watched, why: string): { after: Watched; alerts: readonly Alert[] } {
  const blind = before.blind + 1;
  const isNew = blind >= blindRounds && !before.isLost;
  const text = `Nothing could be judged in ${blind} rounds in a row${why === '' ? '' : `: ${why}`}`;
  return {
    after: { ...before, blind, isLost: before.isLost || isNew },
    alerts: isNew ? [{ kind: 'lost', text, requirements: [] }] : [],
  };
}
