import type { VerdictStatus } from '../judge/kernel/verdict.ts';

/** The events of a run; the progress display and the journal listen. Only `request` may hold secrets. */
export type RunEvent =
  | {
      readonly name: 'run-started';
      readonly runId: string;
      readonly seed: number;
      readonly target: string;
      readonly checks: number;
      readonly requirements: number;
      readonly plannedRequests: number;
      /** Shortest time that the rate limits allow. */
      readonly expectedMs: number;
      /** What one request is expected to take where nothing waits. */
      readonly requestMs: number;
    }
  | { readonly name: 'check-started'; readonly check: string; readonly title: string }
  | {
      readonly name: 'check-finished';
      readonly check: string;
      readonly title: string;
      readonly status: VerdictStatus;
      readonly reason: string | null;
      readonly requests: number;
    }
  | { readonly name: 'requirement-judged'; readonly requirement: string; readonly status: VerdictStatus }
  | { readonly name: 'open-point-observed'; readonly openPoint: string; readonly variant: string }
  | {
      readonly name: 'exchange';
      readonly id: string;
      readonly operation: string | null;
      /** Method, path and query as sent: a display redacts them first; a proof does not show them. */
      readonly request: string;
      /** Label of the key; null where none was sent. */
      readonly key: string | null;
      readonly status: number | null;
      readonly durationMs: number;
    }
  | { readonly name: 'callback'; readonly id: string; readonly answer: string }
  | {
      readonly name: 'state-set';
      readonly state: string;
      /** JSON with labels for secrets, cut where it is long. */
      readonly params: string;
      /** What went wrong; null where the state handler did it. */
      readonly error: string | null;
    }
  | {
      readonly name: 'waiting';
      readonly reason: 'pace' | 'retry-after' | 'key-refused';
      readonly ms: number;
      readonly key: string;
    }
  | {
      readonly name: 'finding';
      readonly requirement: string;
      readonly check: string;
      readonly severity: 'fail' | 'warn';
      readonly message: string;
    }
  | { readonly name: 'notice'; readonly text: string }
  | { readonly name: 'interrupted' }
  | {
      readonly name: 'run-finished';
      readonly verdict: string;
      readonly requests: number;
      readonly durationMs: number;
    };

export type Listener = (event: RunEvent) => void;
