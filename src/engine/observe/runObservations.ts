import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { type Exchange, isDelivery, type Evidence } from '../../core/evidence.ts';
import type { Settings } from '../../core/settings.ts';
import type { Known } from '../../judge/kernel/oracle.ts';
import { oracles } from '../../judge/oracles.ts';
import type { Claimed } from '../../trace/evidence.ts';
import type { OutcomeSources } from '../findings/outcome.ts';
import { keyRingOf } from '../../target/url.ts';
import { Dialect } from './dialect.ts';
import { FindingMaker } from '../findings/findings.ts';
import { KnownLimits } from '../keys/limitsResult.ts';
import type { OpenRun } from '../session/openRun.ts';
import { Origins } from '../findings/origins.ts';
import type { RecordBook } from './recordBook.ts';
import { limitsEvent } from './runRecord.ts';
import { SecretWatch } from './secretWatch.ts';
import { SeenIds } from './seenIds.ts';
import { ServerClock } from '../clock/serverClock.ts';
import { paceOf, sharedIn } from '../keys/sharedLimits.ts';
import { Observer } from './observer.ts';
import { StateTrust } from '../health/stateTrust.ts';
import type { Violation } from '../../judge/kernel/sample.ts';
import { eventOf } from '../../spec/world/webhookEvent.ts';
import { memberOf } from '../../trace/body.ts';
import { decisionOf, type Decision } from '../../judge/limits/decision.ts';

/** The limiter's decisions about all requests of each key, in the order of their answers. */
export class DecisionLog {
  readonly #decisions = new Map<string, Decision[]>();

  note(exchange: Exchange): void {
    const decision = decisionOf(exchange);
    if (exchange.key === null || !decision) return;
    const known = this.#decisions.get(exchange.key);
    if (known) known.push(decision);
    else this.#decisions.set(exchange.key, [decision]);
  }

  /** Decisions about a key, by its label. */
  of(label: string): readonly Decision[] {
    return this.#decisions.get(label) ?? [];
  }
}

/** How many situations are told of what happened to one record. */
const mostTold = 6;

/** By which situations of the explorer exchanges and records came about, so that what they showed can be shown again. */
class Stories {
  readonly #told = new Map<string, readonly string[]>();

  /** `of` is the id of an exchange, or of a record. */
  tell(of: string, story: readonly string[]): void {
    this.#told.set(of, story);
  }

  /** What has to be brought about for a violation; nothing where the explorer had no part in it. */
  of({ evidence }: Pick<Violation, 'evidence'>): readonly string[] {
    const told = evidence.map(({ id }) => this.#told.get(id) ?? []).find(({ length }) => length > 0);
    const [record] = evidence.flatMap(recordIn);
    return told ?? this.#told.get(record ?? '')?.slice(0, mostTold) ?? [];
  }
}

/** The records that a violation is about, by what it rests on. */
function recordsOf({ evidence, judgement }: Violation): readonly string[] {
  const seen = (judgement.because ?? []).filter(
    (one): one is Evidence => 'request' in one || 'registration' in one,
  );
  return [...new Set([...seen, ...evidence].flatMap(recordIn))];
}

function recordIn(one: Evidence): readonly string[] {
  const id = isDelivery(one)
    ? eventOf(one)?.checkinId
    : (memberOf(one, 'checkin_id') ?? memberOf(one, 'data', 'checkin_id'));
  return typeof id === 'string' ? [id] : [];
}

/** What a run learns about the deployment from its traffic, whichever check causes it. */
export class RunObservations {
  readonly dialect: Dialect;
  readonly limitsBook: KnownLimits;
  readonly decisions = new DecisionLog();
  readonly seenIds: SeenIds;
  /** Says in the journal what only the run knows. */
  readonly claim: (claimed: Claimed) => void;
  /** The situations of the explorer by which exchanges came about. */
  readonly stories = new Stories();
  readonly trust = new StateTrust();
  readonly observer: Observer;
  readonly #book: RecordBook;
  readonly #origins = new Origins((id) => this.observer.violatedBy(id));
  /** What outcomes are derived from. */
  readonly sources: OutcomeSources;
  /** The musts that were seen broken so far, by what evidence, with the records that this is about. */
  readonly broken = () =>
    this.observer.tallies.violations
      .filter(({ requirement }) => this.sources.catalogue.get(requirement).level === 'must')
      .map((violation) => ({
        requirement: violation.requirement,
        count: violation.count,
        evidence: violation.evidence.map(({ id }) => id),
        records: recordsOf(violation),
      }));

  /** Whether checks may wait for windows of a minute and more. */
  readonly isPatient: boolean;

  constructor(run: OpenRun, isPatient: boolean, onNews: () => unknown = () => undefined) {
    const { settings, clock, redactor, tell, journal, target, sink, clockBook } = run;
    const catalogue = loadCatalogue();
    this.isPatient = isPatient;
    this.claim = (claimed) => journal.note({ type: 'claim', at: clock.now(), ...claimed });
    this.claim({ claim: 'own-records' });
    this.claim({ claim: 'labels' });
    if (clockBook.movedMs !== 0) this.claim({ claim: 'moved-clock', movedMs: clockBook.movedMs });
    this.seenIds = new SeenIds((id) => {
      this.observer.note({ type: 'claim', at: clock.now(), claim: 'made-up', ids: [id] });
    });
    this.limitsBook = new KnownLimits((found) => {
      journal.event(clock.now(), limitsEvent, { ...found });
      const limit = sharedIn(found);
      if (limit !== null && run.pacer.share(limit)) tell({ name: 'notice', text: paceOf(limit) });
    });
    for (const found of run.earlier?.limits ?? []) this.limitsBook.take(found);
    this.#book = run.book;
    this.dialect = new Dialect(({ openPoint, variant }) =>
      tell({ name: 'open-point-observed', openPoint, variant }),
    );
    const serverClock = new ServerClock(clock, clockBook);
    this.observer = new Observer({
      ...{ oracles, journal, listener: tell, onNews, serverClock },
      known: knownTo(run, serverClock),
      secrets: new SecretWatch(redactor, target.keys, settings, this.claim),
    });
    sink?.inbox.listen((delivery) => {
      this.trust.seeDelivery(delivery);
      return this.observer.seeDelivery(delivery);
    });
    this.sources = {
      maker: new FindingMaker({
        ...{ catalogue, redactor, seed: settings.seed },
        heldKeys: heldKeys(settings),
        violatedBy: (id) => this.observer.violatedBy(id),
        origins: this.#origins,
        storyOf: (violation) => this.stories.of(violation),
      }),
      dialect: this.dialect,
      catalogue,
    };
  }

  readonly see = (exchange: Exchange): void => {
    this.observer.see(exchange);
    this.#origins.note(exchange);
    this.trust.see(exchange);
    this.seenIds.see(exchange);
    this.#book.see(exchange);
    // Kept only if needed: for the hour limit, everything that a key sent.
    if (this.isPatient) this.decisions.note(exchange);
  };
}

/** What the oracles of a run may go by: nobody else has the keys that its state handler makes for it. */
function knownTo({ clockBook, settings, target }: OpenRun, serverClock: ServerClock): Known {
  return {
    limits: settings.limits,
    isOnlyUser: true,
    // Its share of a limit, or of a run, says that others have the rest.
    isAlone: settings.share >= 1 && settings.shard === null,
    get movedMs() {
      return clockBook.movedMs;
    },
    get toldMs() {
      return serverClock.toldMs;
    },
    get movesLimits() {
      return target.stateHandler.clock.has('rate-limits');
    },
  };
}

/** The labels of the keys that the user gave; null for a deployment that ends with the run, where keys are useless afterwards. */
export function heldKeys(settings: Settings): ReadonlySet<string> | null {
  if (settings.target.kind !== 'url') return null;
  return new Set(
    keyRingOf(settings)
      .all()
      .map(({ label }) => label),
  );
}
