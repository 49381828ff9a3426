import { z } from 'zod';
import { exitCodes, type ExitCode } from '../core/errors.ts';
import { plural } from './text/format.ts';

const texts = z.array(z.string());

/** Whether the gate let the run pass, and why: everything that decides the exit code. */
export const gateSchema = z
  .strictObject({
    state: z
      .enum(['met', 'not-met', 'undecided'])
      .describe('met: exit code 0; not-met: 1; undecided: any other'),
    because: texts.describe('what decided it, in few words'),
    stale: texts.optional().describe('fingerprints of the baseline whose requirement passed'),
    unseen: texts
      .optional()
      .describe('fingerprints of the baseline that this run did not look at: their checks did not run whole'),
    missing: texts.optional().describe('capabilities of --require that were missing'),
  })
  .describe('whether the gate is met, and why');

export type Gate = z.infer<typeof gateSchema>;

/** Why a gate is not met or undecided: in few words for a first line, and as a sentence. */
export interface GateReason {
  readonly short: string;
  readonly sentence: string;
}

/** What decides the exit code, by the precedence 70, 130, 1, 3, 0. */
export interface GateInput {
  /** It was killed or crashed, and reported no end. */
  readonly cutShort: boolean;
  readonly interrupted: boolean;
  readonly notMet: readonly GateReason[];
  readonly unclear: readonly GateReason[];
  /** What a met gate rests on, such as known failures. */
  readonly met: readonly string[];
}

/** The one place that decides the exit code. Usage errors and other errors of Gatecheck are thrown, and win over all of these. */
export function decideGate(input: GateInput): { readonly gate: Gate; readonly exitCode: ExitCode } {
  const { cutShort, interrupted, notMet, unclear, met } = input;
  const undecided = (exitCode: ExitCode, because: readonly string[]) => ({
    gate: { state: 'undecided' as const, because: [...because] },
    exitCode,
  });
  const shorts = (reasons: readonly GateReason[]) => reasons.map(({ short }) => short);
  if (cutShort) return undecided(exitCodes.internal, ['the run was cut short']);
  if (interrupted) return undecided(exitCodes.interrupted, ['interrupted']);
  if (notMet.length > 0)
    return { gate: { state: 'not-met', because: shorts(notMet) }, exitCode: exitCodes.gateNotMet };
  if (unclear.length > 0) return undecided(exitCodes.inconclusive, shorts(unclear));
  return { gate: { state: 'met', because: [...met] }, exitCode: exitCodes.ok };
}

/** The gate of a summary; of one without, written by an earlier version, by its exit code. Null if that is missing too. */
export function gateOf({
  gate,
  exitCode,
}: {
  gate?: Gate | undefined;
  exitCode?: number | undefined;
}): Gate | null {
  if (gate !== undefined) return gate;
  if (exitCode === undefined) return null;
  const state = ({ [exitCodes.ok]: 'met', [exitCodes.gateNotMet]: 'not-met' } as const)[exitCode];
  return { state: state ?? 'undecided', because: [] };
}

/** `gate not met: a baseline entry is stale` */
export function gateText({ state, because }: Gate): string {
  const name = `gate ${state.replace('-', ' ')}`;
  return because.length === 0 ? name : `${name}: ${because.join(', ')}`;
}

/** The reasons that apply, of a table. */
export function reasonsIn(
  table: readonly (readonly [applies: boolean, short: string, sentence: string])[],
): GateReason[] {
  return table.filter(([applies]) => applies).map(([, short, sentence]) => ({ short, sentence }));
}

/** `a baseline entry is stale`, `2 baseline entries are stale` */
export function staleText(count: number): string {
  return count === 1 ? 'a baseline entry is stale' : `${count} baseline entries are stale`;
}

/** `1 known failure` */
export function knownText(count: number): string {
  return plural(count, 'known failure');
}
