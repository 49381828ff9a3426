import { request } from 'undici';
import type { Clock } from '../core/clock.ts';
import { liveFigures } from '../load/summary/live.ts';
import { renderOtlp } from '../report/load/otlp.ts';
import { version } from '../version.ts';
import type { LoadView } from '../load/load.ts';

const everyMs = 5000;
const patienceMs = 3000;

interface LoadMetrics {
  readonly start: (view: LoadView) => void;
  /** Sends the last figures. */
  readonly stop: () => Promise<void>;
}

/** Sends the figures of a running load to a collector; a missing collector disturbs nothing. */
export function createLoadMetrics(url: string, clock: Clock, notice: (text: string) => void): LoadMetrics {
  let view: LoadView | null = null;
  let startedAt = 0;
  let cancel = (): unknown => undefined;
  let isTold = false;
  const tell = (why: string) => {
    if (!isTold) notice(`Metrics do not reach ${url}: ${why}.`);
    isTold = true;
  };
  const push = async () => {
    if (view === null) return;
    const resource = { runId: view.runId, target: view.target, version, startedAt, at: clock.now() };
    const body = JSON.stringify(renderOtlp(liveFigures(view, clock.monotonic()), resource));
    try {
      const answer = await request(`${url.replace(/\/$/, '')}/v1/metrics`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...{ body, headersTimeout: patienceMs, bodyTimeout: patienceMs },
      });
      await answer.body.dump({ limit: 65_536 });
      if (answer.statusCode >= 300) tell(`HTTP ${answer.statusCode}`);
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    }
  };
  const tick = () => {
    void push();
    cancel = clock.timer(everyMs, tick);
  };
  return {
    start: (started) => {
      cancel();
      view = started;
      startedAt = clock.now();
      tick();
    },
    stop: async () => {
      cancel();
      await push();
      view = null;
    },
  };
}
