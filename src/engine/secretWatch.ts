import type { Exchange } from '../core/evidence.ts';
import { bufferOf, utf8TextOf } from '../core/bytes.ts';
import type { Redactor } from '../core/redact.ts';
import { containerSecrets, type Settings, type StateHandlerSettings } from '../core/settings.ts';
import { responseOf } from '../judge/kernel/body.ts';
import type { ApiKey, KeyRing } from '../send/keyRing.ts';

/** Tells the redactor every secret of a run before the exchange that shows it is recorded. */
export class SecretWatch {
  readonly #redactor: Redactor;
  #callbackKeys = 0;
  #adopted = 0;

  constructor(redactor: Redactor, keys: KeyRing, { http, stateHandler, target }: Settings) {
    this.#redactor = redactor;
    for (const key of keys.all()) redactor.guard(key.value, `key ${key.label}`);
    const headers = [...Object.entries(http.headers), ...Object.entries(authOf(stateHandler))];
    for (const [name, value] of headers) this.#addHeader(name, value);
    for (const value of containerSecrets(target).filter(({ length }) => length >= shortest))
      redactor.add(value, 'environment of the container');
  }

  /** Keys that were made during the run. */
  adopt(enterprise: string, values: readonly string[]): readonly ApiKey[] {
    return values.map((value) => {
      this.#adopted += 1;
      const label = `issued#${this.#adopted}`;
      this.#redactor.add(value, `key ${label}`);
      return { label, enterprise, value };
    });
  }

  /** Looks at the text of the bodies, whatever the operation is: a broken answer may show a secret as well. */
  observe(exchange: Exchange): void {
    this.expect(exchange);
    this.#learn(responseOf(exchange)?.body);
  }

  /** What is about to be sent, before it is written down. */
  readonly expect = (sent: Pick<Exchange, 'key' | 'request'>): void => {
    this.#addSentKey(sent);
    this.#learn(sent.request.body);
  };

  #learn(body: Uint8Array | null | undefined): void {
    if (!body) return;
    const text = utf8TextOf(body) ?? bufferOf(body).toString('utf8');
    for (const value of valuesOf(text, callbackApiKey)) this.#addCallbackKey(value);
    for (const value of valuesOf(text, authHeader)) this.#addAuthHeader(value);
  }

  /** A value that is nearly a key gives the key away, where a server repeats it. */
  #addSentKey({ key, request }: Pick<Exchange, 'key' | 'request'>): void {
    for (const header of request.headers)
      if (header[1].length >= shortest && isKeyHeader(header[0])) this.#addKey(header[1], key);
  }

  #addKey(value: string, key: string | null): void {
    if (this.#redactor.labelOf(value) !== null && !/\s/.test(value)) return;
    for (const form of formsOf(value)) this.#redactor.add(form, `key ${key ?? 'unknown'}`);
  }

  /** A header of a gateway may be a secret as a whole, or in its last word (`Bearer …`). */
  #addHeader(name: string, value: string): void {
    const secrets = [value, value.split(' ').at(-1) ?? ''].filter(({ length }) => length >= shortest);
    for (const secret of secrets) this.#redactor.guard(secret, `header ${name}`);
  }

  #addCallbackKey(value: string): void {
    if (value.length < shortest) return;
    this.#callbackKeys += 1;
    this.#redactor.add(value, `callback key #${this.#callbackKeys}`);
  }

  #addAuthHeader(header: string): void {
    const value = header.replace(/^[^:]*:/, '').trim();
    if (value.length >= shortestAuth) this.#redactor.add(value, 'auth_header value');
  }
}

/** A shorter value is no secret, and replacing it everywhere would spoil the evidence. */
const shortest = 8;
/** Our own distinguishing values are longer; `gatecheck` itself is no secret. */
const shortestAuth = 10;
/** Of a longer one, this much is looked for. */
const longest = 1000;

function authOf(stateHandler: StateHandlerSettings | null): Readonly<Record<string, string>> {
  const auth = stateHandler?.auth;
  return auth ? { [auth.name]: auth.value } : {};
}

function isKeyHeader(name: string): boolean {
  return name.length === 'x-api-key'.length && name.toLowerCase() === 'x-api-key';
}

/** Altered forms of a value with a blank in it too: what is left on either side of it may be too short to be told by pieces. */
function formsOf(value: string): readonly string[] {
  if (!/\s/.test(value)) return [value];
  const [lower, upper] = [value.toLowerCase(), value.toUpperCase()];
  const turned = Array.from(value).reverse().join('');
  const hex = Buffer.from(value).toString('hex');
  return [value, lower, upper, turned, hex, hex.toUpperCase()];
}

/** A JSON member, ready to be looked for in every body. */
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

/** The strings that a JSON member has in a body, which may be JSON, hold JSON as a part, or be broken. */
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
