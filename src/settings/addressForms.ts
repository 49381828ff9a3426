import { textForm } from './forms.ts';
import { quote } from './quote.ts';

const urlForm =
  'an http(s) address without credentials, query or fragment, such as https://qa.example.com or http://127.0.0.1:8080/api';

/** An http(s) base address without a trailing slash; a path prefix is kept. */
export const baseUrl = textForm({
  expected: (text) => `${urlForm}${meant(text)}`,
  read: readBaseUrl,
  got: showUrl,
});

/** An http(s) address that may carry a query, for a state handler. */
export const url = textForm({
  expected: urlForm,
  read: (text) => {
    const [, address = '', query] = /^([^?]*)(\?[^#\s]*)?$/.exec(text) ?? [];
    const base = readBaseUrl(address);
    return base === undefined ? undefined : `${base}${query ?? ''}`;
  },
  got: showUrl,
});

/** The address of a running deployment, or the word `embedded`, which overrides later sources. */
export const target = textForm({
  expected: (text) => `${urlForm}, or the word embedded${meant(text)}`,
  read: (text) => (text === 'embedded' ? text : readBaseUrl(text)),
  got: showUrl,
});

/** An address to listen on: `HOST:PORT`, an IPv6 host in brackets; port 0 selects a free one. */
export const hostPort = textForm({
  expected: 'HOST:PORT, such as 127.0.0.1:0 (0 selects a free port) or [::1]:9000',
  read: (text) => {
    const [, ipv6, name, digits] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
    const host = ipv6 ?? name;
    const port = Number(digits);
    return host !== undefined && port <= 65_535 ? { host, port } : undefined;
  },
});

/** An address without its scheme is the commonest mistake. */
function meant(text: string): string {
  const scheme = /^(localhost|[\d.]+|\[[\da-f:]+\])(:|\/|$)/i.test(text) ? 'http' : 'https';
  const whole = `${scheme}://${text}`;
  return /^[\w.[\]:-]+\.?[\w\]](:\d+)?(\/|$)/.test(text) &&
    /[.:]/.test(text) &&
    readBaseUrl(whole) !== undefined
    ? ` (did you mean ${whole}?)`
    : '';
}

function readBaseUrl(text: string): string | undefined {
  const parsed = URL.parse(text);
  const plain =
    parsed !== null &&
    /^https?:\/\/[^/]/i.test(text) &&
    parsed.username + parsed.password === '' &&
    !/[?#\\\s]/.test(text);
  return plain ? `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}` : undefined;
}

/** An address without what may be a secret: everything before an `@` and after `?` or `#`. */
export function showUrl(text: string): string {
  return quote(text.replace(/^(\w+:\/\/)?.*@/s, '$1…@').replace(/[?#].*$/s, (rest) => `${rest.charAt(0)}…`));
}
