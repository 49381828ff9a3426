import type { Redactor } from '../core/redact.ts';
import type { Listener } from './events.ts';
import type { CheckOutcome } from './outcome.ts';
import type { EngineCheck } from './suite.ts';

/** The outcomes of a run as they come, and those who wait for them. */
export class OutcomeBoard {
  readonly #redactor: Redactor;
  readonly #listener: Listener;
  readonly #outcomes = new Map<string, CheckOutcome>();
  readonly #waiting = new Map<string, ((outcome: CheckOutcome) => void)[]>();
  readonly #told = new Set<string>();

  constructor(redactor: Redactor, listener: Listener) {
    this.#redactor = redactor;
    this.#listener = listener;
  }

  get all(): readonly CheckOutcome[] {
    return [...this.#outcomes.values()];
  }

  has(check: string): boolean {
    return this.#outcomes.has(check);
  }

  /** A check that is known not to run, before anything is told. */
  preset(outcome: CheckOutcome): void {
    this.#outcomes.set(outcome.check, outcome);
  }

  /** The outcome of a check, as soon as it is known. */
  wait(check: string): Promise<CheckOutcome> {
    const known = this.#outcomes.get(check);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => {
      this.#waiting.set(check, [...(this.#waiting.get(check) ?? []), resolve]);
    });
  }

  /** Answers those who wait with what is known by now, and keeps nothing: more may come. */
  answer(outcome: CheckOutcome): void {
    for (const resolve of this.#waiting.get(outcome.check) ?? []) resolve(outcome);
    this.#waiting.delete(outcome.check);
  }

  settle(told: CheckOutcome): void {
    const outcome = withoutSecrets(told, this.#redactor);
    this.#outcomes.set(outcome.check, outcome);
    this.#tell(outcome);
    this.answer(outcome);
  }

  #tell({ check, title, status, reason, requests, findings, contributions }: CheckOutcome): void {
    this.#listener({ name: 'check-finished', check, title, status, reason, requests });
    for (const { requirement, message, severity } of findings) {
      if (severity !== 'observed') this.#listener({ name: 'finding', requirement, check, severity, message });
    }
    // A requirement counts as judged by the first check that says something about it.
    for (const one of contributions) {
      if (one.status === 'skipped' || this.#told.has(one.requirement)) continue;
      this.#told.add(one.requirement);
      this.#listener({ name: 'requirement-judged', requirement: one.requirement, status: one.status });
    }
  }
}

/** The outcome of a check that did not run. */
export function notRun(
  { id, title, verifies }: EngineCheck,
  status: 'inconclusive' | 'skipped',
  reason: string,
): CheckOutcome {
  const contributions = verifies.map((requirement) => ({ requirement, status, samples: 0, reason }));
  return { check: id, title, status, reason, contributions, findings: [], requests: 0 };
}

/** For a test whose check the engine has not read, as where a suite was changed while it was loaded. */
export function unknownCheck(check: string): CheckOutcome {
  const reason = 'the engine knows no check of this name';
  return {
    check,
    title: check,
    status: 'inconclusive',
    reason,
    contributions: [],
    findings: [],
    requests: 0,
  };
}

/** Reasons may quote an answer, which may quote a secret. */
function withoutSecrets(outcome: CheckOutcome, redactor: Redactor): CheckOutcome {
  const clean = (reason: string | null) => (reason === null ? null : redactor.redact(reason));
  const contributions = outcome.contributions.map((one) => ({ ...one, reason: clean(one.reason) }));
  return { ...outcome, reason: clean(outcome.reason), contributions };
}
