import type { Headers } from '../../core/evidence.ts';

/** What browsers, caches, proxies and libraries send besides; none of it asks for another answer. */
export const ordinaryHeaders: readonly { readonly name: string; readonly headers: Headers }[] = [
  {
    name: 'the headers of a browser',
    headers: [
      ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'],
      ['Accept-Language', 'de-DE,de;q=0.9,en;q=0.5'],
      ['Accept-Encoding', 'gzip, deflate, br, zstd'],
      ['Upgrade-Insecure-Requests', '1'],
    ],
  },
  { name: 'Accept: text/html', headers: [['Accept', 'text/html']] },
  { name: 'Accept: application/xml', headers: [['Accept', 'application/xml']] },
  {
    name: 'the headers of a cache',
    headers: [
      ['If-None-Match', '"gatecheck-1"'],
      ['If-Modified-Since', 'Mon, 01 Jan 2001 00:00:00 GMT'],
      ['Cache-Control', 'no-cache'],
    ],
  },
  { name: 'Range', headers: [['Range', 'bytes=0-9']] },
  {
    name: 'the headers of a proxy',
    headers: [
      ['X-Forwarded-For', '203.0.113.7'],
      ['X-Forwarded-Proto', 'https'],
      ['Via', '1.1 gatecheck'],
    ],
  },
  {
    name: 'headers that ask for another method',
    headers: ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map((name) => [name, 'DELETE']),
  },
  {
    name: 'a content type without a body',
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept-Encoding', 'identity'],
    ],
  },
];

/** An escape that is none, and one that is no UTF-8. */
export const brokenEscapes = ['%ZZ', '%E0%A4'];

/** Requests beyond what web servers read by default: more header than 32 KiB, a larger body than a mebibyte, an escape in the path. */
export const oversized = {
  header: ['X-Padding', 'gatecheck '.repeat(4096).trim()],
  body: ' '.repeat(5 << 18),
  path: '/%ZZ',
} as const;
