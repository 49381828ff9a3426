import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { systemClock } from '../../core/clock.ts';
import { isDelivery, type Evidence } from '../../core/evidence.ts';
import type { Redactor } from '../../core/redact.ts';
import type { Settings } from '../../core/settings.ts';
import { clockEvent, type ClockBook } from '../../engine/clockBook.ts';
import { clockNotice } from '../../engine/clockNotice.ts';
import { FindingMaker } from '../../engine/findings.ts';
import { Observer } from '../../engine/observer.ts';
import { notRun, type CheckOutcome } from '../../engine/outcome.ts';
import { passiveOutcome } from '../../engine/passiveOutcome.ts';
import { SecretWatch } from '../../engine/secretWatch.ts';
import { ServerClock } from '../../engine/serverClock.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import type { Known } from '../../judge/kernel/oracle.ts';
import { oracles } from '../../judge/oracles.ts';
import type { Journal } from '../../send/journal.ts';
import type { KeyRing } from '../../send/keyRing.ts';
import type { Recorded } from './evidenceOf.ts';
import { recordedOracles, type RecordedOracles } from './recordedOracles.ts';
import { learnSecrets } from './secrets.ts';

interface RecordedJudgeParts {
  readonly settings: Settings;
  readonly checks: readonly EngineCheck[];
  readonly keys: KeyRing;
  readonly redactor: Redactor;
  readonly journal: Journal;
  /** What runs of the user moved, for traffic that does not say. */
  readonly clockBook: ClockBook;
}

/** Lets all passive oracles see traffic that others caused, in its order. Sends nothing. */
export class RecordedJudge {
  readonly observer: Observer;
  readonly #parts: RecordedJudgeParts;
  readonly #secrets: SecretWatch;
  readonly #limited: RecordedOracles;
  /** How far the clock had been moved at what is seen now, as far as the journal knows. */
  #movedMs = 0;

  constructor(parts: RecordedJudgeParts) {
    const { settings, keys, redactor, journal } = parts;
    this.#parts = parts;
    this.#secrets = new SecretWatch(redactor, keys, settings);
    this.#limited = recordedOracles(oracles);
    const movedMs = () => this.#movedMs;
    const known: Known = {
      limits: settings.limits,
      get movedMs() {
        return movedMs();
      },
    };
    this.observer = new Observer({
      ...{ oracles: this.#limited.oracles, secrets: this.#secrets, journal, known },
      serverClock: new ServerClock(systemClock, known),
      listener: () => undefined,
    });
  }

  /** Tells the redactor what must not be shown of evidence, before any of it is judged or written. */
  learn(all: readonly Evidence[]): void {
    learnSecrets(all, this.#secrets, this.#parts.redactor);
  }

  /** Tells what there is, before the oracles see it. */
  add(one: Recorded): void {
    this.#limited.add(one);
  }

  /** Judges and writes down; the next may come once this resolves. */
  async see(one: Recorded): Promise<void> {
    const { evidence, movedMs = this.#parts.clockBook.movedMs } = one;
    if (movedMs !== this.#movedMs) this.#parts.journal.event(systemClock.now(), clockEvent, { movedMs });
    this.#movedMs = movedMs;
    if (isDelivery(evidence)) await this.observer.seeDelivery(evidence);
    else this.observer.see(evidence);
    await this.#parts.journal.drained();
  }

  /** How far off the target's clock was, in words; null where it agreed with the recorder's. */
  clockNotice(): string | null {
    return clockNotice(this.observer.serverClock, this.#parts.clockBook.path);
  }

  /** What all of it comes to, by check. */
  end(): readonly CheckOutcome[] {
    const { checks, redactor, settings } = this.#parts;
    this.observer.end();
    const catalogue = loadCatalogue();
    const maker = new FindingMaker({ catalogue, redactor, seed: settings.seed, heldKeys: null });
    return checks.map((check) =>
      check.kind === 'passive'
        ? explained(
            passiveOutcome(check, this.observer.tallies, { catalogue, maker }),
            this.#limited.withheld,
          )
        : notRun(check, 'skipped', unsent),
    );
  }
}

const unsent = 'a recording cannot show it: its check sends its own requests';

/** Says why what was there was not judged, rather than that there was nothing. */
function explained(outcome: CheckOutcome, withheld: ReadonlyMap<string, string>): CheckOutcome {
  const verdicts = [...outcome.verdicts].map(([requirement, verdict]) => {
    const why = withheld.get(requirement);
    const isOpen = verdict.status === 'skipped' && why !== undefined;
    return [requirement, isOpen ? { ...verdict, reason: why } : verdict] as const;
  });
  return { ...outcome, verdicts: new Map(verdicts) };
}
