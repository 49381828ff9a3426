import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { Redactor } from '../core/redact.ts';
import type { RunEvent } from '../engine/observe/events.ts';
import type { LogLine, Target } from '../target/target.ts';
import { renderContainerLog, withLogs, type Span } from './containerLog.ts';
import { containerLogFile } from './reportDir.ts';
import type { RunResult } from './result.ts';
import { writeText } from './writeWhole.ts';

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
