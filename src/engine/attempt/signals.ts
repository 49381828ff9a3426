import { exitCodes, GatecheckError } from '../../core/errors.ts';
import { shownStart } from '../../core/ownStart.ts';
import type { Violation } from '../../judge/kernel/sample.ts';
import { wordsOf } from '../../spec/wording/words.ts';
import { BudgetExhausted } from '../../send/allowance.ts';
import { StateHandlerError } from '../../target/stateHandler.ts';
import type { CutShort, UnclearCase } from './attemptResult.ts';

/** Ends a case because rules were broken. Thrown by `context.judge`, caught by the engine. */
export class CaseViolated extends Error {
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    const broken = violations.map(
      ({ requirement, judgement }) => `${requirement}: ${bounded(wordsOf(judgement).actual)}`,
    );
    super(bounded(broken.join('; ')));
    this.name = 'CaseViolated';
    this.violations = violations;
  }
}

/** Ends a case that could not be decided, not provably because of the deployment. */
export class CaseUnclear extends GatecheckError {
  readonly requirements: readonly string[];

  constructor(cause: string, requirements: readonly string[] = []) {
    super('CASE_UNCLEAR', bounded(cause), { exitCode: exitCodes.inconclusive });
    this.name = 'CaseUnclear';
    this.requirements = requirements;
  }
}

/** Ends a case that would have to wait for room longer than a run waits, though the clock can be moved once nothing is under way. */
export class NoRoom extends CaseUnclear {
  constructor(ms: number) {
    super(`no key had room to send for ${Math.ceil(ms / 1000)} s`);
    this.name = 'NoRoom';
  }
}

/** Ends a case whose operation is left alone, since nothing of it was answered for long. */
export class LeftAlone extends CaseUnclear {}

/** Ends a check because this deployment or dialect gives it nothing to check. */
export class CheckSkipped extends Error {
  constructor(reason: string) {
    super(bounded(reason));
    this.name = 'CheckSkipped';
  }
}

/** Longest text of an end of a case: parts of it may come from answers, of any length. */
const longest = 10_000;

function bounded(text: string): string {
  return shownStart(text, longest);
}

/** Whether an error is about a budget of which nothing was granted. */
export function isUngranted(error: unknown): error is BudgetExhausted {
  return error instanceof BudgetExhausted && error.isUngranted;
}

/** Rethrows what is neither a budget nor the end of the run. */
export function cutShortBy(error: unknown, signal: AbortSignal): CutShort {
  if (error instanceof BudgetExhausted)
    return { by: error.isUnplanned ? 'unplanned' : 'budget', reason: error.message };
  if (!signal.aborted) throw error;
  const reason: unknown = signal.reason;
  return { by: 'stop', reason: reason instanceof Error ? reason.message : 'the run was stopped' };
}

/** Why an error leaves a case undecided; null if it ends the check: a skip, an exhausted budget, an interrupt. */
export function unclearOf(error: unknown, signal: AbortSignal): Omit<UnclearCase, 'evidence'> | null {
  if (signal.aborted) return null;
  if (error instanceof CaseUnclear) return { cause: error.message, requirements: error.requirements };
  if (error instanceof StateHandlerError) return { cause: bounded(error.message), requirements: [] };
  if (error instanceof CheckSkipped || error instanceof BudgetExhausted) return null;
  // Our own errors never become a verdict about the deployment.
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { cause: bounded(`a fault of Gatecheck: ${cause.split('\n', 3).join(' ')}`), requirements: [] };
}
