import { utf8TextOf } from '../../core/bytes.ts';
import { isDelivery, type Evidence, type Headers } from '../../core/evidence.ts';
import type { Redactor } from '../../core/redact.ts';
import type { SecretWatch } from '../../engine/secretWatch.ts';
import { isPlaceholder } from './placeholder.ts';

const credentials = /^(authorization|proxy-authorization|x-api-key|cookie|set-cookie)$/i;

/** What people name headers and parameters that hold a credential of their own. */
const secretName =
  /(^|[^a-z])(access|auth|pass(word|wd)?|pw|pwd|secret|sig(nature)?|tokens?|jwt|session|csrf|xsrf|credentials?|apikey)([^a-z]|$)|api[-_]?key|access[-_]?key|token$|secret$/i;

/** A shorter value is no secret, and replacing it everywhere would spoil the evidence. */
const shortest = 8;

/** Tells the redactor every secret of a recording, before any of it is judged or written. */
export function learnSecrets(all: readonly Evidence[], watch: SecretWatch, redactor: Redactor): void {
  for (const evidence of all) {
    if (isDelivery(evidence)) {
      learnHeaders(evidence.headers, redactor);
      learnQuery(evidence.target, redactor);
    } else {
      watch.observe(evidence);
      learnHeaders(evidence.request.headers, redactor);
      learnQuery(evidence.request.target, redactor);
      learnAddresses(evidence.request.body, redactor);
      if (evidence.outcome.kind === 'response') learnHeaders(evidence.outcome.response.headers, redactor);
    }
  }
}

function learnHeaders(headers: Headers, redactor: Redactor): void {
  for (const [name, value] of headers) {
    const isSecret = credentials.test(name) || (secretName.test(name) && isUnguessable(value));
    for (const secret of isSecret ? secretsIn(name, value) : [])
      redactor.add(secret, `header ${name.toLowerCase()}`);
  }
}

/** What a name alone makes a secret must look like one: `X-Auth-Type: application` is none. */
function isUnguessable(value: string): boolean {
  return /\d/.test(value) || value.length >= longWord;
}

const longWord = 20;

/** Passwords and tokens in the addresses that a client registered. */
function learnAddresses(body: Uint8Array | null, redactor: Redactor): void {
  if (body === null || body.length > longestBody) return;
  const text = utf8TextOf(body)?.replaceAll('\\/', '/') ?? '';
  const addresses = text.match(/https?:\/\/[^\s"'<>\\]{1,2000}/gi) ?? [];
  for (const address of addresses.slice(0, mostAddresses)) {
    const url = URL.parse(address);
    if (url === null) continue;
    // A user without a password may be a token.
    addRawAndRead(url.password === '' ? url.username : url.password, 'password of an address', redactor);
    learnQuery(address, redactor);
  }
}

/** Registrations are short; uploads of documents hold no addresses. */
const longestBody = 1_000_000;
/** Each secret costs time in all that is written: a hostile recording must not bring any number of them. */
const mostAddresses = 20;
const mostPairs = 50;

function learnQuery(target: string, redactor: Redactor): void {
  const start = target.indexOf('?');
  if (start < 0) return;
  for (const pair of target.slice(start + 1).split(/[&#]/, mostPairs)) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (secretName.test(name)) addRawAndRead(value, `query ${nameIn(name)}`, redactor);
  }
}

/** A name as it may stand in a label. */
function nameIn(name: string): string {
  return name.replace(/[^\w.-]/g, '').slice(0, longestName);
}

const longestName = 30;

function addRawAndRead(raw: string, label: string, redactor: Redactor): void {
  let read = raw;
  try {
    read = decodeURIComponent(raw);
  } catch {
    // It stands as it is.
  }
  for (const value of new Set([raw, read]))
    if (value.length >= shortest && !isPlaceholder(value)) redactor.add(value, label);
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
