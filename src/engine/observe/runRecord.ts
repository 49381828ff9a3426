import type { Clock } from '../../core/clock.ts';
import type { Verdict } from '../../judge/kernel/verdict.ts';
import { noJournal, type Journal } from '../../send/journal.ts';
import type { CheckOutcome } from '../findings/outcome.ts';

/** The name of the journal event for the outcome of a check. */
export const outcomeEvent = 'outcome';

/** The name of the journal event for what a limit check found. */
export const limitsEvent = 'limits';

/** An outcome as the journal stores it; the latest one of a check counts. */
export interface RecordedOutcome {
  readonly check: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly verdicts: readonly (readonly [requirement: string, verdict: Verdict])[];
  readonly findings: CheckOutcome['findings'];
  readonly requests: number;
  /** More may come: all traffic adds to a passive check. */
  readonly soFar: boolean;
}

/** Milliseconds between two looks at the passive checks. */
const pauseMs = 1000;

/** Writes outcomes to the journal as they come, so that a killed run has a result as well. */
export class RunRecord {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #told = new Map<string, string>();
  #nextLook = Number.NEGATIVE_INFINITY;

  constructor(journal: Journal, clock: Clock) {
    [this.#journal, this.#clock] = [journal, clock];
  }

  outcome(outcome: CheckOutcome, soFar = false): void {
    if (this.#journal === noJournal) return;
    const { check, title, verdict, verdicts, findings, requests } = outcome;
    const recorded: RecordedOutcome = {
      ...{ check, title, verdict, verdicts: [...verdicts], findings, requests, soFar },
    };
    this.#journal.event(this.#clock.now(), outcomeEvent, { ...recorded });
  }

  /** Notes what the passive checks say by now, if one of their verdicts has changed. */
  passive(outcomes: () => readonly CheckOutcome[], atOnce = false): void {
    const now = this.#clock.monotonic();
    if (this.#journal === noJournal || (!atOnce && now < this.#nextLook)) return;
    this.#nextLook = now + pauseMs;
    for (const outcome of outcomes()) {
      const said = [...outcome.verdicts.values()].map(({ status }) => status).join(' ');
      if (this.#told.get(outcome.check) === said) continue;
      this.#told.set(outcome.check, said);
      this.outcome(outcome, true);
    }
  }
}

/** Restores an outcome as it was before it was written. */
export function recalled({
  check,
  title,
  verdict,
  verdicts,
  findings,
  requests,
}: RecordedOutcome): CheckOutcome {
  return { check, title, verdict, verdicts: new Map(verdicts), findings, requests };
}
