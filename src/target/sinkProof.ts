import { randomBytes } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { Clock } from '../core/clock.ts';
import type { HttpSettings } from '../core/settings.ts';
import type { Admission } from '../receive/inbox.ts';
import { createUndiciTransport } from '../send/undiciTransport.ts';

/** A request that only this sink can answer. */
export interface SinkProof {
  readonly path: string;
  readonly answer: string;
  /** The answer if a request asks the question; null for any other. */
  readonly admit: (target: string) => Admission | null;
}

export function createSinkProof(): SinkProof {
  const name = `gatecheck-proof-${randomBytes(12).toString('hex')}`;
  const answer = randomBytes(24).toString('base64url');
  return {
    path: `/${name}`,
    answer,
    admit: (target) =>
      target.split('?', 1)[0]?.endsWith(`/${name}`) === true
        ? { answer: { kind: 'status', status: 200, body: answer }, record: () => Promise.resolve() }
        : null,
  };
}

/** A tunnel may need a moment. */
const tries = 3;
const timeoutMs = 5_000;

/** Sends the question to the public address; also trusts `ca`. Resolves to null if it leads to this sink, else to what came instead. */
export async function whyNotReached(
  publicUrl: string,
  { path, answer }: Pick<SinkProof, 'path' | 'answer'>,
  { http, clock, ca }: { readonly http: HttpSettings; readonly clock: Clock; readonly ca: string | null },
): Promise<string | null> {
  const extra = [http.extraCa, ca].filter((pem) => pem !== null);
  const trusted = extra.length === 0 ? null : [...extra, ...rootCertificates].join('\n');
  const times = { connectTimeoutMs: timeoutMs, responseTimeoutMs: timeoutMs, maxBodyBytes: 1024 };
  const transport = createUndiciTransport({ ...http, ...times, extraCa: trusted }, clock);
  try {
    let why: string | null = null;
    for (let turn = 0; turn < tries; turn += 1) {
      if (turn > 0) await clock.sleep(500);
      const { outcome } = await transport.send({
        method: 'POST',
        baseUrl: publicUrl,
        target: path,
        headers: [['content-type', 'application/json']],
        body: Buffer.from('{}'),
      });
      if (outcome.kind === 'failure') why = outcome.failure.message;
      else if (Buffer.from(outcome.response.body).toString() === answer) return null;
      else why = `HTTP ${outcome.response.status} of something else`;
    }
    return why;
  } finally {
    await transport.close();
  }
}
