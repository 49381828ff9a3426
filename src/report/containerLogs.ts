import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { Redactor } from '../core/redact.ts';
import type { RunEvent } from '../engine/events.ts';
import type { LogLine, Target } from '../target/target.ts';
import { renderContainerLog, withLogs, type Span } from './containerLog.ts';
import { containerLogFile } from './reportDir.ts';
import type { RunResult } from './result.ts';
import { writeText } from './writeWhole.ts';

/** What leads a server to a callback, it logs shortly before. */
const beforeCallbackMs = 1000;

/** Follows a run against containers, so that what they wrote stands beside what it belongs to. */
export class ContainerLogs {
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #isFollowed: boolean;
  readonly #spans = new Map<string, Span>();

  /** Only of an image there are containers to follow. */
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

  /** Writes `container.log`, and returns the result with the lines beside its findings. */
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
