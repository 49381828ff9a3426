import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { systemClock } from '../../core/clock.ts';
import { isDelivery, type Evidence, type Exchange } from '../../core/evidence.ts';
import type { Redactor } from '../../core/redact.ts';
import type { Settings } from '../../core/settings.ts';
import type { ClockBook } from '../../engine/clockBook.ts';
import { clockNotice } from '../../engine/clockNotice.ts';
import { cutOffOf, isCutOff } from '../../engine/cutOff.ts';
import { FindingMaker } from '../../engine/findings.ts';
import { Observer } from '../../engine/observer.ts';
import { notRun, type CheckOutcome } from '../../engine/outcome.ts';
import { passiveOutcome } from '../../engine/passiveOutcome.ts';
import { SecretWatch } from '../../engine/secretWatch.ts';
import { ServerClock } from '../../engine/serverClock.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import type { Known } from '../../judge/kernel/oracle.ts';
import { oracles } from '../../judge/oracles.ts';
import { RecentMap } from '../../judge/kernel/recentMap.ts';
import type { Journal } from '../../send/journal.ts';
import type { KeyRing } from '../../send/keyRing.ts';
import { isNote, type Claim, type Note } from '../../trace/evidence.ts';
import type { Recorded } from './lineEvidence.ts';
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
  readonly #cutOff = new RecentMap<string, Exchange>();
  readonly #outages: (Claim & { readonly claim: 'outage' })[] = [];

  constructor(parts: RecordedJudgeParts) {
    const { settings, keys, redactor, journal } = parts;
    this.#parts = parts;
    this.#secrets = new SecretWatch(redactor, keys, settings);
    this.#limited = recordedOracles(oracles);
    const movedMs = () => this.#movedMs;
    const known: Known = {
      limits: settings.limits,
      // What others sent may be missing, which is considered for each recording.
      isAlone: true,
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
    const { evidence, begins = false, movedMs = this.#parts.clockBook.movedMs } = one;
    if (begins) this.observer.forget();
    if (movedMs !== this.#movedMs) this.#tellMoved(movedMs);
    this.#movedMs = movedMs;
    if (isNote(evidence)) this.#heed(evidence);
    else if (isDelivery(evidence)) await this.observer.seeDelivery(evidence);
    else {
      if (isCutOff(evidence)) this.#cutOff.set(evidence.id, evidence);
      this.observer.see(evidence);
    }
    await this.#parts.journal.drained();
  }

  #tellMoved(movedMs: number): void {
    this.#parts.journal.note({ type: 'claim', at: systemClock.now(), claim: 'moved-clock', movedMs });
  }

  /** What the run concluded or took back, is concluded or taken back here. */
  #heed(note: Note): void {
    this.observer.heed(note);
    if (note.type !== 'claim') return;
    const { tallies } = this.observer;
    if (note.claim === 'outage') this.#outages.push(note);
    if (note.claim === 'stranger') tallies.forget();
    const last = note.claim === 'cut-off' ? this.#cutOff.get(note.exchanges.at(-1) ?? '') : undefined;
    if (note.claim === 'cut-off' && last?.operation)
      tallies.add(last, cutOffOf(last.operation, note.exchanges));
  }

  /** How far off the target's clock was, in words; null where it agreed with the recorder's. */
  clockNotice(): string | null {
    return clockNotice(this.observer.serverClock, this.#parts.clockBook.path);
  }

  /** What all of it comes to, by check. */
  end(): readonly CheckOutcome[] {
    const { checks, redactor, settings } = this.#parts;
    this.observer.end();
    for (const { exchanges, why } of this.#outages) this.observer.tallies.withdraw(new Set(exchanges), why);
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
