import type { Exchange } from '../core/evidence.ts';
import type { Redactor } from '../core/redact.ts';
import { memberOf } from '../judge/body.ts';
import type { ApiKey, KeyRing } from '../send/keyRing.ts';

/** Tells the redactor every secret of a run before the exchange that shows it is recorded. */
export class SecretWatch {
  readonly #redactor: Redactor;
  #callbackKeys = 0;
  #adopted = 0;

  constructor(redactor: Redactor, keys: KeyRing) {
    this.#redactor = redactor;
    for (const key of keys.all()) redactor.add(key.value, `key ${key.label}`);
  }

  /** Keys that came to be during the run. */
  adopt(enterprise: string, values: readonly string[]): readonly ApiKey[] {
    return values.map((value) => {
      this.#adopted += 1;
      const label = `issued#${this.#adopted}`;
      this.#redactor.add(value, `key ${label}`);
      return { label, enterprise, value };
    });
  }

  observe(exchange: Exchange): void {
    if (exchange.operation === 'fla.subscribe') this.#callbackKey(exchange);
    if (exchange.operation === 'wci.subscribe') this.#authHeader(exchange);
  }

  #callbackKey(exchange: Exchange): void {
    const value = memberOf(exchange, 'callbackApiKey');
    if (typeof value !== 'string') return;
    this.#callbackKeys += 1;
    this.#redactor.add(value, `callback key #${this.#callbackKeys}`);
  }

  /** The value of an `auth_header` that was sent, in JSON or as a part of a multipart body. */
  #authHeader(exchange: Exchange): void {
    const body = Buffer.from(exchange.request.body ?? []).toString('utf8');
    for (const [, quoted = ''] of body.matchAll(/"auth_header"\s*:\s*"((?:[^"\\]|\\.)*)"/g)) {
      const value = unquote(quoted)
        .replace(/^[^:]*:/, '')
        .trim();
      // A short value is no secret of ours, and replacing it everywhere would spoil the evidence.
      if (value.length >= 8) this.#redactor.add(value, 'auth_header value');
    }
  }
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(`"${quoted}"`) as string;
  } catch {
    return quoted;
  }
}
