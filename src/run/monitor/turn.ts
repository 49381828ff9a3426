import { isJudged } from '../../judge/kernel/verdict.ts';
import type { RunResult } from '../../report/result.ts';
import type { RunOutput } from '../run.ts';

/** What the rounds have met since all checks that take no quota units were met for the last time. */
export interface Turn {
  /** Checks that ran, the earliest first; those that take units stay until all of them were met. */
  readonly met: readonly string[];
  /** Checks that some round of a day could run, without units and with some. */
  readonly free: readonly string[];
  readonly paid: readonly string[];
  /** Must-requirements that were judged. */
  readonly musts: readonly string[];
  readonly rounds: number;
}

export const firstTurn: Turn = { met: [], free: [], paid: [], musts: [], rounds: 0 };

/** The turn that a round belongs to: once all checks were met, a new one. Units are few, so theirs takes longer. */
export function turnForRound(turn: Turn): Turn {
  const { free, paid } = coverageOf(turn);
  if (turn.rounds === 0 || free.met < free.all) return turn;
  const isPaid = new Set(paid.met < paid.all ? turn.paid : []);
  return { ...turn, met: turn.met.filter((id) => isPaid.has(id)), musts: [], rounds: 0 };
}

/** The turn after a round of it. */
export function afterRoundOfTurn(
  turn: Turn,
  { result, rotated }: Pick<RunOutput, 'result' | 'rotated'>,
): Turn {
  // Of a round that lost its target nobody knows what ran.
  if (rotated === undefined || !ended.has(result.run.end ?? 'completed')) return turn;
  const now = new Set(rotated.met);
  const paid = new Set([...turn.paid, ...rotated.fitting.paid]);
  // What took units as long as no record was there takes none with the record of an earlier round.
  const free = new Set([...turn.free, ...rotated.fitting.free]);
  return {
    met: [...turn.met.filter((id) => !now.has(id)), ...now],
    free: [...free],
    paid: [...paid].filter((id) => !free.has(id)),
    musts: [...new Set([...turn.musts, ...judgedMusts(result)])],
    rounds: turn.rounds + 1,
  };
}

/** A check that uses up the budget is met: else it would do so in every round. */
const ended: ReadonlySet<string> = new Set(['completed', 'budget']);

function judgedMusts({ requirements }: RunResult): readonly string[] {
  return requirements
    .filter(({ level, verdict }) => level === 'must' && isJudged(verdict))
    .map(({ id }) => id);
}

interface Share {
  readonly met: number;
  readonly all: number;
}

/** How many of the checks that fit were met, and how many do. */
export function coverageOf(turn: Turn): { readonly free: Share; readonly paid: Share } {
  const met = new Set(turn.met);
  const share = (ids: readonly string[]) => ({
    met: ids.filter((id) => met.has(id)).length,
    all: ids.length,
  });
  return { free: share(turn.free), paid: share(turn.paid) };
}

/** What the rounds so far amount to, for people. */
export function renderTurn(turn: Turn, musts: number): string {
  const { free, paid } = coverageOf(turn);
  const rounds = `${turn.rounds} ${turn.rounds === 1 ? 'round' : 'rounds'}`;
  const percent = free.all === 0 ? 0 : Math.floor((100 * free.met) / free.all);
  const units = paid.all === 0 ? '' : `, and ${paid.met} of ${paid.all} that take quota units`;
  return `${rounds} of this turn met ${free.met} of ${free.all} checks (${percent} %)${units}, ${turn.musts.length} of ${musts} musts`;
}
