import { createHmac, randomBytes } from 'node:crypto';

/**
 * Replaces every known secret by its label before anything is recorded or shown. Secrets may become known while a run
 * goes on (a callback key), but never later than the exchange that shows them.
 */
export class Redactor {
  readonly #labels = new Map<string, string>();
  readonly #salt = randomBytes(32);
  #pattern: RegExp | null = null;

  /** From now on `secret` reads `‹label›`, also where it stands escaped in JSON or in a URL. */
  add(secret: string, label: string): void {
    if (secret === '' || this.#labels.has(secret)) return;
    for (const spelling of spellings(secret)) this.#labels.set(spelling, `‹${label}›`);
    this.#pattern = null;
  }

  redact(text: string): string {
    if (this.#labels.size === 0) return text;
    this.#pattern ??= new RegExp([...this.#labels.keys()].sort(longestFirst).map(escapeRegExp).join('|'), 'g');
    return text.replace(this.#pattern, (secret) => this.#labels.get(secret) ?? secret);
  }

  /** Tells equal secrets from different ones without showing them; differs from run to run. */
  fingerprint(secret: string): string {
    return createHmac('sha256', this.#salt).update(secret).digest('hex').slice(0, 12);
  }
}

function spellings(secret: string): ReadonlySet<string> {
  const quoted = JSON.stringify(secret).slice(1, -1);
  const quotedTwice = JSON.stringify(quoted).slice(1, -1);
  const encoded = encodeURIComponent(secret.toWellFormed());
  return new Set([secret, quoted, quotedTwice, encoded, Buffer.from(secret).toString('base64')]);
}

function longestFirst(a: string, b: string): number {
  return b.length - a.length;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
