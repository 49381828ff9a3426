import { accept, quote, type Parsed } from './parsed.ts';

const form =
  'an http(s) address without credentials, query or fragment, such as https://qa.example.com or http://127.0.0.1:8080/api';

/** An http(s) base address: without trailing slash, a path prefix kept. */
export function parseBaseUrl(text: string): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain =
    url !== null &&
    /^https?:\/\/[^/]/i.test(text) &&
    url.username + url.password === '' &&
    !/[?#\\\s]/.test(text);
  return plain ? accept(withoutTrailingSlash(url)) : { ok: false, expected: form, got: showUrl(text) };
}

/** An http(s) address that may carry a query, for a state handler. */
export function parseUrl(text: string): Parsed<string> {
  const [address, query] = splitOnce(text, '?');
  const base = parseBaseUrl(address);
  if (!base.ok || query === undefined) return base;
  return /[#\s]/.test(query) ? refuseUrl(text) : accept(`${base.value}?${query}`);
}

/** An address as it may be printed: what stands before an `@` and after `?` or `#` may be a secret. */
export function showUrl(text: string): string {
  return quote(text.replace(/^(\w+:\/\/)?.*@/s, '$1…@').replace(/[?#].*$/s, (rest) => `${rest.charAt(0)}…`));
}

function refuseUrl(text: string): Parsed<never> {
  return { ok: false, expected: form, got: showUrl(text) };
}

function withoutTrailingSlash(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
