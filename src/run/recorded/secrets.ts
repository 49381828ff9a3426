import { isDelivery, type Evidence, type Headers } from '../../core/evidence.ts';
import type { Redactor } from '../../core/redact.ts';
import type { SecretWatch } from '../../engine/secretWatch.ts';
import { isPlaceholder } from './placeholder.ts';

const credentials = /^(authorization|proxy-authorization|x-api-key|cookie|set-cookie)$/i;

/** A shorter value is no secret, and replacing it everywhere would spoil the evidence. */
const shortest = 8;

/** Tells the redactor every secret of a recording, before any of it is judged or written. */
export function learnSecrets(all: readonly Evidence[], watch: SecretWatch, redactor: Redactor): void {
  for (const evidence of all) {
    if (isDelivery(evidence)) learnHeaders(evidence.headers, redactor);
    else {
      watch.observe(evidence);
      learnHeaders(evidence.request.headers, redactor);
      if (evidence.outcome.kind === 'response') learnHeaders(evidence.outcome.response.headers, redactor);
    }
  }
}

function learnHeaders(headers: Headers, redactor: Redactor): void {
  for (const [name, value] of headers.filter(([one]) => credentials.test(one)))
    for (const secret of secretsIn(name, value)) redactor.add(secret, `header ${name.toLowerCase()}`);
}

/** The whole value, what stands behind a scheme, and the values of cookies. */
function secretsIn(name: string, value: string): readonly string[] {
  const cookies = /cookie$/i.test(name)
    ? value.split(';').map((pair) => pair.replace(/^[^=]*=/, '').trim())
    : [];
  const parts = cookies.length > 0 ? cookies.slice(0, mostCookies) : [value, value.split(' ').at(-1) ?? ''];
  return parts.filter((part) => part.length >= shortest && !isPlaceholder(part));
}

const mostCookies = 50;
