import { z } from 'zod';
import { baseUrl } from './addressForms.ts';
import { annotate } from './annotations.ts';
import { valueOf } from './environment.ts';
import { textForm } from './forms.ts';
import { looksLikeKey } from './quote.ts';
import type { ValuePlace } from './row.ts';

/** One API key; it is never shown. */
export const apiKey = textForm({
  expected: 'an API key: printable ASCII without blanks, as it goes into the X-API-Key header',
  read: (text) => (faultOfKey(text) === null ? text.trim() : undefined),
  got: (text) => faultOfKey(text) ?? '',
});

/** Comma-separated API keys; none is ever shown. */
export const apiKeys = textForm({
  expected: 'comma-separated API keys: printable ASCII without blanks, as they go into the X-API-Key header',
  read: (text) => (faultOfKeys(text) === null ? text.split(',').map((key) => key.trim()) : undefined),
  got: (text) => faultOfKeys(text) ?? '',
});

function faultOfKey(text: string): string | null {
  const key = text.trim();
  if (key === '') return 'an empty one (not shown)';
  const position = key.search(/[^\x21-\x7e]/);
  return position < 0
    ? null
    : `a character at position ${position + 1} that no header can carry (key not shown)`;
}

function faultOfKeys(text: string): string | null {
  const faults = text.split(',').map(faultOfKey);
  const index = faults.findIndex((fault) => fault !== null);
  return index < 0 ? null : `${faults[index] ?? ''}, key ${index + 1} in the list`;
}

/** A header field `Name: value` whose value is a secret; it is never shown. */
export const secretHeader = textForm({
  expected: 'a header field, such as Authorization: Bearer …',
  read: (text) => {
    const { name, value } = headerOf(text);
    return isHeaderName(name) && isHeaderValue(value) ? { name, value } : undefined;
  },
  got: (text) =>
    isHeaderName(headerOf(text).name)
      ? 'an empty value, or one that no header can carry (not shown)'
      : 'no header name before a colon (not shown)',
});

function headerOf(text: string) {
  const [, name = '', value = ''] = /^([^:]*):(.*)$/s.exec(text.trim()) ?? [];
  return { name, value: value.trim() };
}

export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(text);
}

function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

/** The value of a header; an invalid value is not shown. */
export const headerValue = textForm({
  expected: 'a header value of printable ASCII',
  read: (text) => (isHeaderValue(text) ? text : undefined),
  got: () => 'another character (not shown)',
});

const loneSign = ', or with a % in its name or password that is not written %25';

/** Address of a proxy; if it comes from the environment, it may contain credentials. */
export const proxyUrl = textForm({
  expected: 'a proxy address, such as http://proxy.example.com:3128',
  read: (text) => {
    const parsed = URL.parse(text);
    const isBare = parsed?.pathname === '/' && parsed.search + parsed.hash === '';
    const fits = isBare && baseUrl.safeParse(`${parsed.protocol}//${parsed.host}`).success;
    return fits && hasReadableCredentials(parsed) ? text.replace(/\/+$/, '') : undefined;
  },
  got: () => `other text, or one with a path or query${loneSign} (not shown)`,
});

/** Address of a Redis. It may contain a password, so it is never shown. */
export const redisUrl = textForm({
  expected: 'the address of a Redis, such as redis://127.0.0.1:6379 or rediss://redis.example.com:6380/1',
  read: (text) => {
    const parsed = URL.parse(text);
    if (parsed === null || !/^rediss?:$/.test(parsed.protocol) || !hasReadableCredentials(parsed))
      return undefined;
    const isRedis = parsed.hostname !== '' && parsed.hash === '' && /^\/?\d{0,3}$/.test(parsed.pathname);
    return isRedis ? text : undefined;
  },
  got: () => `other text, or one with a path that is not a database number${loneSign} (not shown)`,
});

const reference = 'the name of an environment variable, such as env:GATECHECK_QA_KEY';

/** `env:NAME`, the only way in which a config file or an option refers to a secret; anything else is refused and not shown. */
export function fromVariable<T>(secret: z.ZodType<T, string>, { env }: ValuePlace): z.ZodType<T, string> {
  const form = z.string().transform((text, { issues }): T => {
    const refuse = (message: string) => {
      issues.push({ code: 'custom', message, input: undefined });
      return z.NEVER;
    };
    const name = /^env:([A-Za-z_]\w*)$/.exec(text)?.[1];
    if (name === undefined)
      return refuse(
        `expected ${reference}, since a secret must not be written here; got other text (not shown)`,
      );
    const value = valueOf(env, name);
    if (value === undefined)
      return refuse(`expected the environment variable ${name} to be set; it is unset or empty`);
    const read = secret.safeParse(value);
    return read.success
      ? read.data
      : refuse(`${read.error.issues[0]?.message ?? ''} (in the environment variable ${name})`);
  });
  return annotate(form, {
    expected: `${reference}, since a secret must not be written here`,
    isSecret: true,
  });
}

/** Text written as it is, or `env:NAME` for what is or may be a secret. */
export function plainOrVariable<T>(
  plain: z.ZodType<T, string>,
  secret: z.ZodType<T, string>,
  place: ValuePlace,
) {
  const hidden = fromVariable(secret, place);
  return z.string().transform((text, { issues }): { readonly value: T; readonly isSecret: boolean } => {
    const isReference = text.startsWith('env:');
    const form = isReference || looksLikeKey(text) ? hidden : plain;
    const read = form.safeParse(text);
    if (read.success) return { value: read.data, isSecret: isReference };
    issues.push({ code: 'custom', message: read.error.issues[0]?.message ?? '', input: undefined });
    return z.NEVER;
  });
}

/** The password of an address, as written and as whoever connects decodes it; empty if there is none. */
export function passwordsOf({ password }: Pick<URL, 'password'>): readonly string[] {
  return [...new Set([password, decoded(password) ?? ''])].filter((text) => text !== '');
}

/** Whether name and password can be decoded: a lone `%` has to be written `%25`. */
export function hasReadableCredentials({ username, password }: Pick<URL, 'username' | 'password'>): boolean {
  return [username, password].every((text) => decoded(text) !== null);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
