import { accepting, answerStatus, type Script } from '../../receive/script.ts';

/** How the sink answers the webhooks of a load: at once, late, first refusing some, or refusing all for a time. */
export type SinkManner =
  | { readonly kind: 'ok' }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'fail'; readonly times: number }
  | { readonly kind: 'down'; readonly forMs: number };

export const sinkMannerForm =
  'ok, slow:500ms, fail:2 (the first two of each record are refused) or down:30s (all are refused for that time)';

/** Parses a manner; undefined if it is malformed. */
export function readSinkManner(text: string): SinkManner | undefined {
  const [, kind, amount, unit] = /^(ok|slow|fail|down)(?::(\d{1,5})(ms|s|m)?)?$/.exec(text.trim()) ?? [];
  const ms = Number(amount) * ({ ms: 1, s: 1000, m: 60_000 }[unit ?? 'ms'] ?? 1);
  if (kind === 'ok') return amount === undefined ? { kind } : undefined;
  if (amount === undefined || Number(amount) === 0) return undefined;
  if (kind === 'fail')
    return unit === undefined && Number(amount) <= 20 ? { kind, times: Number(amount) } : undefined;
  if (unit === undefined || ms > 600_000) return undefined;
  // A sender need not wait longer than that.
  if (kind === 'slow') return ms <= 30_000 ? { kind, delayMs: ms } : undefined;
  return kind === 'down' ? { kind, forMs: ms } : undefined;
}

/** How long to wait for the next delivery of a refused webhook, up to three times. */
const againMs = 60_000;

/** How much longer than usual a webhook may take if the sink is failing. */
export function troubleMs(manner: SinkManner): number {
  switch (manner.kind) {
    case 'ok':
      return 0;
    case 'slow':
      return manner.delayMs;
    case 'fail':
      return Math.min(manner.times, 3) * againMs;
    case 'down':
      return manner.forMs;
  }
}

/** The script of an address that is opened now; `downMs` is how long the sink is still down. */
export function scriptOf(manner: SinkManner, downMs: number): Script {
  switch (manner.kind) {
    case 'ok':
      return accepting;
    case 'slow':
      return [answerStatus(200, { delayMs: manner.delayMs })];
    case 'fail':
      return [
        answerStatus(503),
        ...Array.from({ length: manner.times - 1 }, () => answerStatus(503)),
        answerStatus(200),
      ];
    case 'down':
      return downMs > 0 ? [answerStatus(503)] : accepting;
  }
}
