import type { RunEvent } from '../engine/events.ts';
import { timeLeft } from '../plan/forecast.ts';
import { formatDuration } from '../report/text/format.ts';

/** Half as long again as forecast, and a minute: below that no reason is given. */
const worthTelling = { factor: 1.5, ms: 60_000 };

/** Answers that take less on average are no reason. */
const slowAnswerMs = 100;

/** Knows why a run took much longer than its forecast. */
export class Lateness {
  #started: Extract<RunEvent, { name: 'run-started' }> | null = null;
  #waitedMs = 0;
  #sent = 0;
  #requestsMs = 0;

  hear(event: RunEvent): void {
    if (event.name === 'run-started') this.#started = event;
    if (event.name === 'waiting' && event.reason !== 'pace') this.#waitedMs += event.ms;
    if (event.name !== 'exchange') return;
    this.#sent += 1;
    this.#requestsMs += event.durationMs;
  }

  /** What to say of a run that took so long; null where it took about what was forecast. */
  reasonFor(durationMs: number): string | null {
    if (!this.#started) return null;
    const forecastMs = timeLeft(this.#started);
    if (durationMs < forecastMs * worthTelling.factor + worthTelling.ms) return null;
    const { plannedRequests } = this.#started;
    const meanMs = this.#sent === 0 ? 0 : this.#requestsMs / this.#sent;
    const more = this.#sent - plannedRequests;
    const why = [
      ...(this.#waitedMs > 0
        ? [`429s and refused keys asked to wait ${formatDuration(this.#waitedMs)} in all`]
        : []),
      ...(more > plannedRequests / 10
        ? [`${more} more requests than planned were sent, to confirm what failed`]
        : []),
      meanMs >= slowAnswerMs
        ? `an answer took ${formatDuration(meanMs)} on average`
        : 'answers came soon, so that the rest went into waiting for callbacks, and for what the deployment does later',
    ];
    return `The run took ${formatDuration(durationMs)}, and about ${formatDuration(forecastMs)} were forecast: ${why.join('; ')}.`;
  }
}
