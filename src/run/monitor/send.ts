import { appendFile } from 'node:fs/promises';
import { request } from 'undici';
import { otlpOf } from '../../report/load/otlp.ts';
import { version } from '../../version.ts';
import type { Alert } from './change.ts';
import type { Sample } from './figures.ts';

/** An alert as programs get it. */
export interface SentAlert extends Alert {
  readonly at: string;
  readonly target: string;
  /** What fails now, by its id. */
  readonly failing: Readonly<Record<string, string>>;
  readonly report: string;
}

const patienceMs = 5000;

/** Posts JSON; what went wrong, or null. Redirects are not followed. */
export async function post(url: string, body: unknown): Promise<string | null> {
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...{ body: JSON.stringify(body), headersTimeout: patienceMs, bodyTimeout: patienceMs },
      signal: AbortSignal.timeout(2 * patienceMs),
    });
    await answer.body.dump({ limit: 65_536 });
    return answer.statusCode < 300 ? null : `HTTP ${answer.statusCode}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Adds an alert as a line of JSON; what went wrong, or null. */
export async function append(path: string, alert: SentAlert): Promise<string | null> {
  return appendFile(path, `${JSON.stringify(alert)}\n`, { mode: 0o600 }).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** Sends samples to a collector (OTLP over HTTP, JSON); what went wrong, or null. */
export function pushSamples(
  url: string,
  samples: readonly Sample[],
  { target, startedAt, at }: { readonly target: string; readonly startedAt: number; readonly at: number },
): Promise<string | null> {
  const resource = { runId: 'monitor', target, version, startedAt, at };
  const metrics = samples.map(({ name, unit, value, kind, labels }) => ({
    ...{ name: `gatecheck.monitor.${name.replace(/_(total|seconds)$/, '')}`, unit, value, labels },
    kind: kind === 'counter' ? ('sum' as const) : ('gauge' as const),
  }));
  return post(`${url.replace(/\/$/, '')}/v1/metrics`, otlpOf('gatecheck.monitor', metrics, resource));
}
