import type { Exchange } from '../../core/evidence.ts';
import { bufferOf, onceForBytes, utf8TextOf } from '../../core/bytes.ts';
import type { Redactor } from '../../core/redact.ts';
import { containerSecrets, type Settings, type StateHandlerSettings } from '../../core/settings.ts';
import { responseOf } from '../../judge/kernel/body.ts';
import type { ApiKey, KeyRing } from '../../send/keyRing.ts';
import type { Claimed } from '../../trace/evidence.ts';

/** Adds every secret of a run to the redactor before the exchange that shows it is recorded. */
export class SecretWatch {
  readonly #redactor: Redactor;
  readonly #claim: (claimed: Claimed) => void;
  #callbackKeys = 0;
  #authHeaders = 0;
  #adopted = 0;
  /** The latest value of a key's header: most requests carry the same one. */
  #key = '';

  constructor(
    redactor: Redactor,
    keys: KeyRing,
    { http, stateHandler, target }: Settings,
    claim: (claimed: Claimed) => void = () => undefined,
  ) {
    [this.#redactor, this.#claim] = [redactor, claim];
    for (const key of keys.all()) redactor.guard(key.value, `key ${key.label}`);
    const headers = [...Object.entries(http.headers), ...Object.entries(authOf(stateHandler))];
    for (const [name, value] of headers) this.#addHeader(name, value);
    for (const value of containerSecrets(target).filter(({ length }) => length >= shortest))
      redactor.add(value, 'environment of the container');
  }

  /** Adds keys that were made during the run. */
  adopt(enterprise: string, values: readonly string[]): readonly ApiKey[] {
    return values.map((value) => {
      this.#adopted += 1;
      const label = `issued#${this.#adopted}`;
      this.#redactor.add(value, `key ${label}`);
      return { label, enterprise, value };
    });
  }

  /** Searches the text of the bodies, whatever the operation is: a broken answer may show a secret as well. */
  observe(exchange: Exchange): void {
    this.expect(exchange);
    const body = responseOf(exchange)?.body;
    if (body) this.#learn(body);
  }

  /** Learns the secrets of a request that is about to be sent, before it is recorded. */
  readonly expect = (sent: Pick<Exchange, 'key' | 'request'>): void => {
    this.#addSentKey(sent);
    if (sent.request.body) this.#learn(sent.request.body);
  };

  readonly #learn = onceForBytes((body): true => {
    const text = utf8TextOf(body) ?? bufferOf(body).toString('utf8');
    for (const value of valuesOf(text, callbackApiKey)) this.#addCallbackKey(value);
    for (const value of valuesOf(text, authHeader)) this.#addAuthHeader(value);
    return true;
  });

  /** If a server repeats a value that is nearly a key, it reveals the key. */
  #addSentKey({ key, request }: Pick<Exchange, 'key' | 'request'>): void {
    for (const header of request.headers)
      if (header[1] !== this.#key && header[1].length >= shortest && isKeyHeader(header[0]))
        this.#addKey(header[1], key);
  }

  #addKey(header: string, key: string | null): void {
    const value = unquoted(header);
    this.#key = header;
    if (this.#redactor.labelOf(value) !== null && !/\s/.test(value)) return;
    for (const form of formsOf(value)) this.#redactor.add(form, `key ${key ?? 'unknown'}`);
  }

  /** A gateway's header may be a secret as a whole, or in its last word (`Bearer …`). */
  #addHeader(name: string, value: string): void {
    const secrets = [value, value.split(' ').at(-1) ?? ''].filter(({ length }) => length >= shortest);
    for (const secret of secrets) this.#redactor.guard(secret, `header ${name}`);
  }

  #addCallbackKey(key: string): void {
    const value = unquoted(key);
    if (value.length < shortest || this.#redactor.labelOf(value) !== null) return;
    this.#callbackKeys += 1;
    this.#learned(value, `callback key #${this.#callbackKeys}`);
  }

  #addAuthHeader(header: string): void {
    const value = unquoted(header.replace(/^[^:]*:/, '').trim());
    if (value.length < shortestAuth || this.#redactor.labelOf(value) !== null) return;
    this.#authHeaders += 1;
    this.#learned(value, `auth_header value #${this.#authHeaders}${breaksIn(value)}`);
  }

  /** A callback may have shown it already, before it was known. */
  #learned(secret: string, label: string): void {
    this.#redactor.add(secret, label);
    for (const [before, text] of this.#redactor.recognized(secret))
      this.#claim({ claim: 'known-later', label: before, text });
  }
}

/** Without quotation marks around it: those of a JSON text that shows it would go with it. */
function unquoted(value: string): string {
  return value.replace(/^["']+|["']+$/g, '');
}

/** What stands between the parts of a value and must not, as in `\\r\\n…`: a label that hid it would hide the fault. */
function breaksIn(value: string): string {
  const breaks = value.match(/[:\p{Cc}]+/gu) ?? [];
  return breaks
    .map((text) => `${JSON.stringify(text.slice(0, 10)).slice(1, -1)}…`)
    .join('')
    .slice(0, 60);
}

/** A shorter value is not a secret, and replacing it everywhere would spoil the evidence. */
const shortest = 8;
/** Our own made-up values are longer; `gatecheck` itself is not a secret. */
const shortestAuth = 10;
/** Longest part of a value that is searched for. */
const longest = 1000;

function authOf(stateHandler: StateHandlerSettings | null): Readonly<Record<string, string>> {
  const auth = stateHandler?.auth;
  return auth ? { [auth.name]: auth.value } : {};
}

function isKeyHeader(name: string): boolean {
  return name.length === 'x-api-key'.length && name.toLowerCase() === 'x-api-key';
}

/**
 * Forms of a value, including altered ones of a value with a blank: the parts next to the blank may be too short to be
 * recognized by pieces.
 */
function formsOf(value: string): readonly string[] {
  if (!/\s/.test(value)) return [value];
  const [lower, upper] = [value.toLowerCase(), value.toUpperCase()];
  const turned = Array.from(value).reverse().join('');
  const hex = Buffer.from(value).toString('hex');
  return [value, lower, upper, turned, hex, hex.toUpperCase()];
}

/** A JSON member, prepared for searching in every body. */
interface Member {
  readonly name: string;
  readonly value: RegExp;
}

const callbackApiKey = memberNamed('callbackApiKey');
const authHeader = memberNamed('auth_header');

function memberNamed(name: string): Member {
  return {
    name,
    value: new RegExp(String.raw`"${name}"\s*:\s*"((?:[^"\\]|\\.)*)"`, 'g'),
  };
}

/** The string values of a JSON member in a body, which may be JSON, contain JSON, or be broken. */
function valuesOf(text: string, { name, value }: Member): readonly string[] {
  if (!text.includes(name)) return [];
  const found = [...text.matchAll(value)];
  return found.map(([, quoted = '']) => unquote(quoted).slice(0, longest));
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(`"${quoted}"`) as string;
  } catch {
    return quoted;
  }
}
