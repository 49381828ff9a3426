import type { Redactor } from '../../core/redact.ts';
import type { Verdict } from '../../judge/kernel/verdict.ts';
import type { Listener } from '../observe/events.ts';
import type { CheckOutcome } from './outcome.ts';

/** The outcomes of a run as they arrive, and the callers that wait for them. */
export class OutcomeBoard {
  readonly #redactor: Redactor;
  readonly #listener: Listener;
  readonly #outcomes = new Map<string, CheckOutcome>();
  readonly #waiting = new Map<string, ((outcome: CheckOutcome) => void)[]>();
  readonly #onSettled: (outcome: CheckOutcome) => void;
  readonly #told = new Set<string>();
  readonly #isOpen: (outcome: CheckOutcome) => boolean;
  /** Checks whose outcome is not told yet. */
  readonly #held = new Set<string>();

  /** What is still `isOpen` may turn out to say nothing: it is told once that is known. */
  constructor(
    redactor: Redactor,
    listener: Listener,
    onSettled: (outcome: CheckOutcome) => void = () => undefined,
    isOpen: (outcome: CheckOutcome) => boolean = () => false,
  ) {
    this.#isOpen = isOpen;
    this.#redactor = redactor;
    this.#listener = listener;
    this.#onSettled = onSettled;
  }

  get all(): readonly CheckOutcome[] {
    return [...this.#outcomes.values()];
  }

  has(check: string): boolean {
    return this.#outcomes.has(check);
  }

  /** The outcome of a check that is known not to run, before anything is reported. */
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

  /** Answers waiting callers with what is known so far, without storing it: more may come. */
  answer(outcome: CheckOutcome): void {
    for (const resolve of this.#waiting.get(outcome.check) ?? []) resolve(outcome);
    this.#waiting.delete(outcome.check);
  }

  settle(told: CheckOutcome): void {
    const outcome = withoutSecrets(told, this.#redactor);
    this.#outcomes.set(outcome.check, outcome);
    this.#onSettled(outcome);
    this.#held.add(outcome.check);
    this.release(this.#isOpen);
    this.answer(outcome);
  }

  /** Tells what was held back, as it stands now. */
  release(isOpen: (outcome: CheckOutcome) => boolean = () => false): void {
    for (const check of [...this.#held]) {
      const outcome = this.#outcomes.get(check);
      if (outcome === undefined || isOpen(outcome)) continue;
      this.#held.delete(check);
      this.#tell(outcome);
    }
  }

  #tell({ check, title, verdict, requests, findings, verdicts }: CheckOutcome): void {
    const { status, reason } = verdict;
    this.#listener({ name: 'check-finished', check, title, status, reason, requests });
    const said = new Set<string>();
    for (const { requirement, message, severity = 'fail' } of findings) {
      // Cases of the same name break a rule in the same way.
      const line = `${severity} ${requirement} ${message}`;
      if (said.has(line)) continue;
      said.add(line);
      this.#listener({ name: 'finding', requirement, check, severity, message });
    }
    // A requirement counts as judged by the first check that says something about it.
    for (const [requirement, { status: judged }] of verdicts) {
      if (judged === 'skipped' || judged === 'not-applicable' || this.#told.has(requirement)) continue;
      this.#told.add(requirement);
      this.#listener({ name: 'requirement-judged', requirement, status: judged });
    }
  }
}

/** Reasons may quote an answer, which may contain a secret. */
function withoutSecrets(outcome: CheckOutcome, redactor: Redactor): CheckOutcome {
  const clean = (verdict: Verdict): Verdict =>
    verdict.status === 'pass' ? verdict : { ...verdict, reason: redactor.redact(verdict.reason) };
  const verdicts = new Map([...outcome.verdicts].map(([requirement, one]) => [requirement, clean(one)]));
  return { ...outcome, verdict: clean(outcome.verdict), verdicts };
}
