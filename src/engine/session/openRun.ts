import { join } from 'node:path';
import { steadyClock, systemClock, type Clock } from '../../core/clock.ts';
import { Redactor } from '../../core/redact.ts';
import { newRunId } from '../../core/runId.ts';
import { Scope } from '../../core/scope.ts';
import { pacedLimits, type Settings } from '../../core/settings.ts';
import type { Sink } from '../../receive/sink.ts';
import { noJournal, type Journal } from '../../send/journal.ts';
import { noKeptState, openKeptState, type KeptState } from '../../send/keptState.ts';
import { windowLimits } from '../../send/keyWindow.ts';
import { noPaceBook, openPaceBook, type PaceBook } from '../../send/paceBook.ts';
import { Pacer } from '../../send/pacer.ts';
import { openSink, type OpenSinkOptions } from '../../target/openSink.ts';
import { openTarget, type OpenOptions } from '../../target/openTarget.ts';
import type { Target } from '../../target/target.ts';
import { checkClockBook, clockBookOf, withClockBook, type ClockBook } from '../clock/clockBook.ts';
import type { Observation } from '../observe/dialect.ts';
import type { Listener } from '../observe/events.ts';
import type { LimitsFound } from '../keys/limitsSchema.ts';
import type { CheckOutcome } from '../findings/outcome.ts';
import { noRecordBook, openRecordBook, type RecordBook } from '../observe/recordBook.ts';

/** What a run gets in addition to its settings. The defaults are those of a user, but without files and listeners. */
export interface RunPorts {
  readonly id?: string | undefined;
  readonly clock?: Clock | undefined;
  /** The user's interrupt. */
  readonly signal?: AbortSignal | undefined;
  readonly listener?: Listener | undefined;
  readonly redactor?: Redactor | undefined;
  readonly openJournal?: (() => Journal) | undefined;
  /** Opens the deployment, ready to be judged. */
  readonly openTarget?: (settings: Settings, clock: Clock, options: OpenOptions) => Promise<Target>;
  /** Opens the sink that the deployment calls back; null if nothing may be subscribed. */
  readonly openSink?: (options: OpenSinkOptions & { readonly target: Target }) => Promise<Sink | null>;
  /** The results of a run that was cut short, to be continued. */
  readonly earlier?: EarlierRun | undefined;
  /** Folder for what later runs with the same keys need to know; null to store nothing. */
  readonly memory?: string | null | undefined;
}

/** What is known of a run that was cut short. */
export interface EarlierRun {
  /** Number of its last exchange. */
  readonly exchanges: number;
  /** Number of the last step of the state handler. */
  readonly steps: number;
  /** Outcomes of its checks; those of passive checks are preliminary. */
  readonly outcomes: readonly CheckOutcome[];
  readonly observations: readonly Observation[];
  readonly limits: readonly LimitsFound[];
  /** Legs whose subscribe was under way when the run was cut short, in the ledger's notation. */
  readonly inDoubt: readonly string[];
}

/** A run that has begun: the deployment, the ways to and from it, and everything that must be closed afterwards. */
export interface OpenRun extends AsyncDisposable {
  readonly id: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Sends an event to the listener and, unless it is there in full, to the journal. */
  readonly tell: Listener;
  readonly redactor: Redactor;
  readonly journal: Journal;
  readonly target: Target;
  readonly sink: Sink | null;
  /** Null for a run that begins anew. */
  readonly earlier: EarlierRun | null;
  readonly pacer: Pacer;
  readonly kept: KeptState;
  /** Records of earlier runs on the same deployment. */
  readonly book: RecordBook;
  /** How far the state handler moved the deployment's clock, in earlier runs as well. */
  readonly clockBook: ClockBook;
  /** Closed before the target. */
  readonly scope: Scope;
  /** Accepts callbacks that are still under way, and leaves the target as it was found. */
  readonly leave: () => Promise<void>;
}

/** For runs that receive no callbacks. */
export const noSink: NonNullable<RunPorts['openSink']> = () => Promise.resolve(null);

/** Opens everything that a run needs. Disposing of the result closes everything, also after an error. */
export async function openRun(settings: Settings, ports: RunPorts = {}): Promise<OpenRun> {
  const all = new Scope();
  try {
    return await open(settings, ports, all);
  } catch (error) {
    await all.close().catch(() => undefined);
    throw error;
  }
}

async function open(settings: Settings, ports: RunPorts, all: Scope): Promise<OpenRun> {
  const { clock = steadyClock(), signal = new AbortController().signal, redactor = new Redactor() } = ports;
  // Callers that must know whether all evidence was written close the journal earlier, and get the error then.
  const close = (one: Journal) => one.close().catch(() => undefined);
  const journal = all.use(ports.openJournal?.() ?? noJournal, close);
  const tell = tellBoth(journal, clock, ports.listener);
  const notice = (text: string) => tell({ name: 'notice', text: redactor.redact(text) });
  const scope = all.use(new Scope(), (one) => one.close());
  const opened = scope.use(
    await (ports.openTarget ?? openTarget)(settings, clock, { signal, notice }),
    (one) => one.close(),
  );
  const clockBook = clockBookFor(opened, ports.memory ?? null);
  const target = { ...opened, stateHandler: withClockBook(opened.stateHandler, clockBook, clock) };
  await checkClockBook(target.stateHandler, clockBook);
  const sink = await (ports.openSink ?? openSink)({ settings, target, clock, notice });
  scope.defer(() => sink?.close());
  const memory = target.kind === 'embedded' ? null : (ports.memory ?? null);
  // Other processes write their times by the clock of the machine.
  const shared = ports.clock ?? systemClock;
  const book = scope.use(bookIn(memory, { target, clock: shared, settings }), async (one) => {
    await Promise.resolve();
    one.close();
  });
  const pacer = createPacer(settings, { clock, tell, book });
  pacer.recall(target.keys.all());
  const kept = memory === null ? noKeptState : openKeptState(memory);
  const records = recordBookIn(memory, { target, clock, settings, redactor });
  return {
    ...{ id: ports.id ?? newRunId(clock), settings, clock, signal, tell, redactor, journal },
    ...{ target, sink, pacer, kept, book: records, clockBook, scope, earlier: ports.earlier ?? null },
    leave: () => scope.close(),
    [Symbol.asyncDispose]: () =>
      all.close().catch((error: unknown) => notice(`Not closed: ${String(error)}`)),
  };
}

/** What stands in the journal in full, as lines of its own. */
const asLines: ReadonlySet<string> = new Set(['exchange', 'callback', 'state-set']);

function tellBoth(journal: Journal, clock: Clock, listener: Listener = () => undefined): Listener {
  return (event) => {
    if (!asLines.has(event.name)) journal.event(clock.now(), event.name, event);
    listener(event);
  };
}

/** Shortest wait that a user notices, in milliseconds. */
const worthTelling = 500;

/** Keeps the keys below the limits of the settings, and reports each wait. */
export function createPacer(settings: Settings, { clock, tell, book }: PacerPorts): Pacer {
  return new Pacer({
    ...{ clock, book },
    limits: windowLimits(pacedLimits(settings)),
    onWait: (key, ms) => {
      if (ms >= worthTelling) tell({ name: 'waiting', reason: 'pace', ms, key: key.label });
    },
  });
}

interface PacerPorts {
  readonly clock: Clock;
  readonly tell: Listener;
  readonly book: PaceBook;
}

/**
 * Most requests per hour for which a key's requests are noted: a key with a higher limit is no partner's, and noting them would
 * cost too much.
 */
const mostNoted = 20_000;

/** What all runs of a user send with the keys of this one. The embedded target is new each time. */
function bookIn(
  folder: string | null,
  { target, clock, settings }: Pick<OpenRun, 'target' | 'clock' | 'settings'>,
): PaceBook {
  if (folder === null || settings.limits.perHour > mostNoted) return noPaceBook;
  return openPaceBook({
    folder: join(folder, 'pace'),
    keys: target.keys.all(),
    target: new URL(target.baseUrls.webcheckin).origin,
    clock,
    limits: windowLimits(pacedLimits(settings)),
  });
}

/** Other targets are new each time, and so is their clock. */
function clockBookFor({ kind, baseUrls }: Target, memory: string | null): ClockBook {
  return clockBookOf(kind === 'url' ? memory : null, baseUrls.webcheckin);
}

/** A container is new each time, and so are its records. */
function recordBookIn(
  folder: string | null,
  { target, clock, settings, redactor }: Pick<OpenRun, 'target' | 'clock' | 'settings' | 'redactor'>,
): RecordBook {
  if (folder === null || settings.fresh || target.kind !== 'url') return noRecordBook;
  const { webcheckin } = target.baseUrls;
  return openRecordBook({
    ...{ folder: join(folder, 'records'), target: webcheckin, keys: target.keys, clock },
    redact: (text) => redactor.redact(text),
  });
}
