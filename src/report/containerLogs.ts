import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { Redactor } from '../core/redact.ts';
import type { RunEvent } from '../engine/observe/events.ts';
import type { LogLine, Target } from '../target/target.ts';
import { containerLogFile } from './reportDir.ts';
import type { RunResult } from './result.ts';
import { writeText } from './writeWhole.ts';
import type { Finding } from '../engine/findings/finding.ts';

/** How long before a callback a server logs its cause. */
const beforeCallbackMs = 1000;

/** Follows the containers of a run, so that reports can show their log lines next to the findings. */
export class ContainerLogs {
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #isFollowed: boolean;
  readonly #spans = new Map<string, Span>();

  /** Only image targets have containers to follow. */
  constructor(kind: Target['kind'], clock: Clock, redactor: Redactor) {
    this.#isFollowed = kind === 'image';
    this.#clock = clock;
    this.#redactor = redactor;
  }

  hear(event: RunEvent): void {
    if (!this.#isFollowed) return;
    if (event.name === 'exchange') this.#note(event.id, event.durationMs);
    if (event.name === 'callback') this.#note(event.id, beforeCallbackMs);
  }

  /** Writes `container.log`, and returns the result with the log lines added to its findings. */
  async addTo(result: RunResult, { log }: Pick<Target, 'log'>, reportDir: string): Promise<RunResult> {
    if (!log) return result;
    const lines = log().map((line): LogLine => this.#clean(line));
    await writeText(join(reportDir, containerLogFile), renderContainerLog(lines));
    return withLogs(result, lines, this.#spans);
  }

  #note(id: string, durationMs: number): void {
    const to = this.#clock.now();
    this.#spans.set(id, { from: to - durationMs, to });
  }

  #clean(line: LogLine): LogLine {
    return { ...line, text: this.#redactor.redact(line.text) };
  }
}

/** When something was under way, in epoch milliseconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A line is logged while the answer is sent, so it may arrive a little later. */
const graceMs = 100;
const mostLines = 40;

/** Adds to each finding the lines that were logged while its exchanges were under way. */
export function withLogs(
  result: RunResult,
  lines: readonly LogLine[],
  spans: ReadonlyMap<string, Span>,
): RunResult {
  const findings = result.findings.map((finding) => {
    const logs = linesOf(finding, lines, spans);
    return logs.length === 0 ? finding : { ...finding, logs };
  });
  return { ...result, findings };
}

/** `container.log`: one line each, with its time of arrival and its container. */
export function renderContainerLog(lines: readonly LogLine[]): string {
  return lines
    .map(({ at, container, text }) => `${new Date(at).toISOString()}  ${container}  ${text}\n`)
    .join('');
}

function linesOf(
  { exchanges }: Finding,
  lines: readonly LogLine[],
  spans: ReadonlyMap<string, Span>,
): NonNullable<Finding['logs']> {
  const own = exchanges.flatMap((id) => spans.get(id) ?? []);
  return lines
    .filter(({ at }) => own.some(({ from, to }) => at >= from && at <= to + graceMs))
    .slice(-mostLines)
    .map(({ at, container, text }) => ({ at: new Date(at).toISOString(), container, text }));
}
