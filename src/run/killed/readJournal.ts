import { existsSync } from 'node:fs';
import type { CheckOutcome } from '../../engine/outcome.ts';
import { notRun } from '../../engine/outcome.ts';
import { Dialect } from '../../engine/dialect.ts';
import { Latencies } from '../../engine/latencies.ts';
import { outcomeEvent, recalled, type RecordedOutcome } from '../../engine/runRecord.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import { stateEvent } from '../../engine/watchedState.ts';
import type { Conduct } from '../../report/conduct.ts';
import { readLines } from '../../report/har/readLines.ts';
import type { EventLine, ExchangeLine, JournalLine } from '../../send/journalLine.ts';
import { headEvent, type RecordedHead } from './head.ts';
import { Effects } from './effects.ts';

/** What the journal of a run shows. */
export interface KilledRun {
  readonly head: RecordedHead;
  readonly conduct: Conduct;
  readonly dialect: Dialect;
  readonly callbacks: number;
  /** Final outcomes, and preliminary ones of passive checks. */
  readonly settled: readonly CheckOutcome[];
  /** Number of the last exchange. */
  readonly exchanges: number;
  /** Epoch milliseconds of the last line. */
  readonly lastAt: number;
}

/** Reads a journal to its end, which may be in the middle of a line; null if it does not belong to a run. */
export async function readJournal(path: string, checks: readonly EngineCheck[]): Promise<KilledRun | null> {
  if (!existsSync(path)) return null;
  const reading = new Reading();
  for await (const text of readLines(path)) reading.take(parse(text));
  return reading.end(checks);
}

function parse(text: string): JournalLine | null {
  try {
    return JSON.parse(text) as JournalLine;
  } catch {
    // A killed run leaves an incomplete line.
    return null;
  }
}

/** Summarizes the lines, in memory that grows with checks and effects, not with traffic. */
class Reading {
  readonly #effects = new Effects();
  readonly #dialect = new Dialect();
  readonly #latencies = new Latencies();
  readonly #outcomes = new Map<string, CheckOutcome>();
  readonly #violated = new Map<string, readonly string[]>();
  #head: RecordedHead | null = null;
  #requests = 0;
  #callbacks = 0;
  #throttled = 0;
  #lastAt = 0;
  #exchanges = 0;

  take(line: JournalLine | null): void {
    if (line === null) return;
    if ('violated' in line) this.#violated.set(line.id, line.violated);
    this.#lastAt = Math.max(this.#lastAt, timeOf(line));
    if (line.type === 'exchange' || line.type === 'sending')
      this.#exchanges = Math.max(this.#exchanges, Number(line.id.slice(1)) || 0);
    if (line.type === 'event') this.#event(line);
    else if (line.type === 'exchange') this.#exchange(line);
    else if (line.type === 'delivery') this.#callbacks += 1;
    else this.#effects.sending(line);
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
      ...{ settled, exchanges: this.#exchanges },
      conduct: {
        ...{ outcomes: asked, end: 'cut-short', endReason: reason, sideEffects, limits: [] },
        requests: Math.max(this.#requests + unanswered, this.#exchanges),
        quotaUnits: sideEffects.filter(({ kind }) => kind === 'quota').length,
        throttled: this.#throttled,
        timings: this.#latencies.summaries(),
        violatedBy: (evidence) => this.#violated.get(evidence) ?? [],
      },
    };
  }

  #exchange(line: ExchangeLine): void {
    this.#requests += 1;
    if (line.response?.status === 429 && !line.check.includes('limits')) this.#throttled += 1;
    this.#latencies.add(line.operation ?? 'other', line.durationMs);
    this.#effects.exchange(line);
  }

  #event({ name, data, at }: EventLine): void {
    if (name === headEvent) this.#head ??= data as unknown as RecordedHead;
    if (name === outcomeEvent) this.#outcome(data as unknown as RecordedOutcome);
    if (name === stateEvent) this.#effects.state(String(data.state), Date.parse(at));
    if (name === 'open-point-observed') this.#dialect.observe(String(data.openPoint), String(data.variant));
  }

  #outcome(recorded: RecordedOutcome): void {
    this.#outcomes.set(recorded.check, recalled(recorded));
  }
}

function timeOf(line: JournalLine): number {
  if (line.type === 'event') return Date.parse(line.at);
  const startedAt = Date.parse(line.startedAt);
  return line.type === 'sending' ? startedAt : startedAt + line.durationMs;
}
