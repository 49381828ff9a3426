import type { Redactor } from '../core/redact.ts';

/** Replacing secrets shorter than this would garble ordinary words. */
const shortest = 4;

/** From now on, none of these is printed. */
export function addSecrets(redactor: Redactor, secrets: readonly string[], label: string): void {
  for (const secret of secrets.map((text) => text.trim())) {
    if (secret.length >= shortest) redactor.add(secret, label);
  }
}
