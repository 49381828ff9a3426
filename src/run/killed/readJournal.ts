import { existsSync } from 'node:fs';
import { exitCodes, GatecheckError, usageError } from '../../core/errors.ts';
import { notRun, type CheckOutcome } from '../../engine/findings/outcome.ts';
import { Dialect } from '../../engine/observe/dialect.ts';
import { Latencies } from '../../engine/observe/latencies.ts';
import { KnownLimits } from '../../engine/keys/limitsResult.ts';
import type { LimitsFound } from '../../engine/keys/limitsSchema.ts';
import { limitsEvent, outcomeEvent, recalled, type RecordedOutcome } from '../../engine/observe/runRecord.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import { stateEvent } from '../../engine/clock/watchedState.ts';
import type { Conduct } from '../../report/buildResult.ts';
import { readLines } from '../../report/har/readLines.ts';
import type { EventLine, ExchangeLine, JournalLine, SendingLine } from '../../send/journalLine.ts';
import { headEvent, type RecordedHead } from './head.ts';
import { lineOf, recordedHead, recordedLimits, recordedOutcome } from './lineOf.ts';
import { operationIds, type OperationId } from '../../core/operations.ts';
import type { Exchange } from '../../core/evidence.ts';
import { Ledger, type SideEffect } from '../../engine/observe/ledger.ts';
import { rawRequest, type ApiRequest } from '../../send/request.ts';
import { exchangeOf } from '../../send/lineExchange.ts';

/** What the journal of a run shows. */
export interface KilledRun {
  readonly head: RecordedHead;
  readonly conduct: Conduct;
  readonly dialect: Dialect;
  readonly callbacks: number;
  /** Final outcomes, and preliminary ones of passive checks. */
  readonly settled: readonly CheckOutcome[];
  /** The checks whose outcomes are preliminary: the run was killed before it judged its end. */
  readonly preliminary: ReadonlySet<string>;
  /** Number of the last exchange. */
  readonly exchanges: number;
  /** Number of the last step of the state handler. */
  readonly steps: number;
  /** Epoch milliseconds of the last line. */
  readonly lastAt: number;
}

/**
 * Reads a journal to its end, which may be in the middle of a line; null if no run had written to it yet. What cannot belong to a
 * run of this version is refused: nobody is to take it for a run that sent nothing.
 */
export async function readJournal(path: string, checks: readonly EngineCheck[]): Promise<KilledRun | null> {
  if (!existsSync(path)) return null;
  const reading = new Reading();
  try {
    for await (const text of readLines(path)) if (text.trim() !== '') reading.take(text);
  } catch (error) {
    throw unreadable(error);
  }
  if (reading.runs.size > 1)
    throw usageError(
      'SEVERAL_RUNS',
      `Expected the journal of one run at ${path}; got lines of ${reading.runs.size}: ${[...reading.runs].slice(0, 3).join(', ')}.`,
      'Keep the journal of each run in a directory of its own; the lines of one begin with its head.',
    );
  const { headless } = reading;
  if (headless !== null)
    throw usageError(
      'OTHER_JOURNAL',
      `Expected the journal of a run of this version of Gatecheck at ${path}; got ${headless}.`,
      'What it sent and left behind cannot be told from it. Use the version that wrote it, or a copy that is not damaged.',
    );
  return reading.end(checks);
}

/** A journal that was named and cannot be read is the user's to see to. */
function unreadable(error: unknown): unknown {
  if (!(error instanceof GatecheckError) || error.exitCode === exitCodes.usage) return error;
  return usageError(
    error.code,
    error.message,
    'Check that it may be read, or name another report directory.',
  );
}

/** Most characters of the name of a run that are told. */
const longestName = 80;

/** How every journal begins. */
const firstLine = '{"type":"event"';

/** Summarizes the lines, in memory that grows with checks and effects, not with traffic. */
class Reading {
  readonly #effects = new Effects();
  readonly #dialect = new Dialect();
  readonly #latencies = new Latencies();
  readonly #limits = new KnownLimits();
  readonly #outcomes = new Map<string, CheckOutcome>();
  readonly #preliminary = new Set<string>();
  readonly #violated = new Map<string, readonly string[]>();
  #head: RecordedHead | null = null;
  #headFault: string | null = null;
  /** The runs whose heads are there: one, also if it was resumed. */
  readonly runs = new Set<string>();
  /** Lines that can be read, and whether one cannot be the beginning of a journal. */
  #lines = 0;
  #isRubbish = false;
  #requests = 0;
  #callbacks = 0;
  #throttled = 0;
  #lastAt = 0;
  #exchanges = 0;
  #steps = 0;

  /** What is there in place of the journal of a run; null if it is one, or the beginning of one. */
  get headless(): string | null {
    if (this.#head !== null) return null;
    if (this.#headFault !== null) return `one whose head does not fit: ${this.#headFault}`;
    if (this.#lines > 0) return `${this.#lines} lines without the head of a run`;
    return this.#isRubbish ? 'no line that can be read' : null;
  }

  take(text: string): void {
    const line = lineOf(text);
    if (line === null) {
      // A run that was killed while it wrote its first line leaves the beginning of one.
      this.#isRubbish ||= !firstLine.startsWith(text.slice(0, firstLine.length));
      return;
    }
    this.#lines += 1;
    if ('violated' in line) this.#violated.set(line.id, line.violated);
    this.#lastAt = Math.max(this.#lastAt, timeOf(line));
    if (line.type === 'exchange' || line.type === 'sending')
      this.#exchanges = Math.max(this.#exchanges, Number(line.id.slice(1)) || 0);
    if (line.type === 'step') this.#steps = Math.max(this.#steps, Number(line.id.slice(1)) || 0);
    if (line.type === 'event') this.#event(line);
    else if (line.type === 'exchange') this.#exchange(line);
    else if (line.type === 'delivery') this.#callbacks += 1;
    else if (line.type === 'sending') this.#effects.sending(line);
  }

  end(checks: readonly EngineCheck[]): KilledRun | null {
    if (this.#head === null) return null;
    const reason = 'the run was cut short before it ended';
    const asked = checks.map(
      (check) => this.#outcomes.get(check.id) ?? notRun(check, 'inconclusive', reason),
    );
    const sideEffects = this.#effects.all();
    const settled = [...this.#outcomes.values()].filter(({ verdict }) => verdict.status !== 'inconclusive');
    const unanswered = this.#effects.unanswered;
    return {
      ...{ head: this.#head, dialect: this.#dialect, callbacks: this.#callbacks, lastAt: this.#lastAt },
      ...{ settled, preliminary: this.#preliminary, exchanges: this.#exchanges, steps: this.#steps },
      conduct: {
        ...{ outcomes: asked, end: 'cut-short', endReason: reason, sideEffects },
        limits: this.#limits.found,
        requests: Math.max(this.#requests + unanswered, this.#exchanges),
        quotaUnits: sideEffects.filter(({ kind }) => kind === 'quota').length,
        throttled: this.#throttled,
        timings: this.#latencies.summaries(),
        violatedBy: (evidence) => this.#violated.get(evidence) ?? [],
      },
    };
  }

  #exchange(line: ExchangeLine): void {
    if (!this.#effects.exchange(line)) return;
    this.#requests += 1;
    if (line.response?.status === 429 && !line.check.includes('limits')) this.#throttled += 1;
    this.#latencies.add(line.operation ?? 'other', line.durationMs);
  }

  #event({ name, data, at }: EventLine): void {
    if (name === headEvent) this.#takeHead(recordedHead(data));
    if (name === outcomeEvent) this.#outcome(recordedOutcome(data));
    if (name === limitsEvent) this.#limit(recordedLimits(data));
    if (name === stateEvent) this.#effects.state(String(data.state), Date.parse(at));
    if (name === 'open-point-observed') this.#dialect.observe(String(data.openPoint), String(data.variant));
  }

  #takeHead(head: RecordedHead | string): void {
    if (typeof head === 'string') this.#headFault ??= head;
    else {
      this.#head ??= head;
      this.runs.add(head.runId.slice(0, longestName));
    }
  }

  #limit(found: LimitsFound | null): void {
    if (found !== null) this.#limits.take(found);
  }

  #outcome(recorded: RecordedOutcome | null): void {
    if (recorded === null) return;
    this.#outcomes.set(recorded.check, recalled(recorded));
    if (recorded.soFar) this.#preliminary.add(recorded.check);
    else this.#preliminary.delete(recorded.check);
  }
}

function timeOf(line: JournalLine): number {
  if (line.type === 'event' || line.type === 'claim') return Date.parse(line.at);
  const startedAt = Date.parse(line.startedAt);
  return line.type === 'sending' ? startedAt : startedAt + line.durationMs;
}

/** What the requests of a journal left behind, by the same rules as during a run. */
class Effects {
  readonly #ledger = new Ledger();
  /** Requests that were about to be sent when the run ended, by the id of the exchange. */
  readonly #open = new Map<string, SendingLine>();
  /** Ids of the exchanges: a journal that was put together by hand may hold a line twice, or in another order. */
  readonly #seen = new Set<string>();

  /** Number of requests that were about to be sent and have no exchange. */
  get unanswered(): number {
    return this.#open.size;
  }

  sending(line: SendingLine): void {
    if (!this.#seen.has(line.id)) this.#open.set(line.id, line);
  }

  /** False if the exchange was there before. */
  exchange(line: ExchangeLine): boolean {
    this.#open.delete(line.id);
    if (this.#seen.has(line.id)) return false;
    this.#seen.add(line.id);
    this.#note(line);
    return true;
  }

  state(name: string, at: number): void {
    this.#ledger.state(name, at);
  }

  /** Whether a request without an exchange took effect is unknown. */
  all(): readonly SideEffect[] {
    const failure = { reason: 'aborted', message: 'the run was cut short', maybeDelivered: true };
    for (const line of this.#open.values())
      this.#note({ ...line, type: 'exchange', durationMs: 0, response: null, failure });
    return this.#ledger.sideEffects;
  }

  #note(line: ExchangeLine): void {
    const operation = operationIds.find((id) => id === line.operation);
    if (operation === undefined) return;
    const exchange = exchangeOf(line, { operation, prefix: '', slackMs: 0 });
    this.#ledger.wasSpent(requestOf(operation, exchange), exchange);
  }
}

function requestOf(operation: OperationId, { request, enterprise, key }: Exchange): ApiRequest {
  const holder = { label: key ?? '', enterprise: enterprise ?? '', value: '' };
  return rawRequest(operation, request.body ?? new Uint8Array(), null, { key: { kind: 'key', key: holder } });
}
