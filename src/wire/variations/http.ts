import type { Headers } from '../../core/evidence.ts';
import { withField, fieldOf, onAnswers, onDeliveries } from '../asked.ts';
import { isMembers, readJson, joinedWires, type Wire } from '../json.ts';
import { shuffled } from './jsonText.ts';
import type { Making, Variation } from './variation.ts';

/** Header fields that another server, a gateway or a load balancer writes. */
export const httpVariations: readonly Variation[] = [
  {
    id: 'header-case',
    family: 'http',
    law: 'Names of header fields have no case (RFC 9110, 5.1).',
    wire: ({ random }) =>
      onHeaders((headers) => headers.map(([name, value]) => [cased(name, random), value])),
  },
  {
    id: 'further-headers',
    family: 'http',
    law: 'A recipient ignores header fields that it does not know (RFC 9110, 5.1); Set-Cookie may be repeated.',
    wire: furtherHeaders,
  },
  {
    id: 'retry-after-header',
    family: 'http',
    law: 'A Retry-After that says what the body says contradicts nothing.',
    wire: () => onAnswers((answer) => ({ ...answer, headers: withRetryAfter(answer.headers, answer.body) })),
  },
  {
    id: 'media-type-spelling',
    family: 'http',
    law: 'Type, subtype and parameter names have no case, and JSON may carry a charset parameter (RFC 9110, 8.3.1).',
    wire: ({ random }) => onHeaders((headers) => headers.map((field) => respelt(field, random))),
  },
  {
    id: 'no-date',
    family: 'http',
    law: 'An origin server without a clock that it trusts sends no Date (RFC 9110, 6.6.1).',
    wire: () => onAnswers((answer) => ({ ...answer, headers: withField(answer.headers, 'date', null) })),
  },
  ...[-86_400, -3600, 3600, 86_400, null].map(wrongDate),
];

/** Seconds by which the header is off; null for the beginning of the epoch. */
function wrongDate(seconds: number | null): Variation {
  const dated = (date: string) =>
    seconds === null
      ? 'Thu, 01 Jan 1970 00:00:00 GMT'
      : new Date(Date.parse(date) + seconds * 1000).toUTCString();
  return {
    id: `wrong-date${seconds === null ? '-epoch' : `${seconds > 0 ? '+' : ''}${seconds}`}`,
    family: 'http',
    law: 'Whoever writes the Date header, a gateway perhaps, need not have the clock of the service; no rule speaks of it.',
    wire: () =>
      onAnswers((answer) => {
        const date = fieldOf(answer.headers, 'date');
        return date === null
          ? answer
          : { ...answer, headers: withField(answer.headers, 'date', dated(date)) };
      }),
  };
}

function onHeaders(edit: (headers: Headers) => Headers): Wire {
  return joinedWires([
    onAnswers((answer) => ({ ...answer, headers: edit(answer.headers) })),
    // The header that the partner configured is sent exactly as configured.
    onDeliveries((arrival) => ({ ...arrival, headers: editedButCredentials(arrival.headers, edit) })),
  ]);
}

function editedButCredentials(headers: Headers, edit: (headers: Headers) => Headers): Headers {
  return headers.flatMap((field) => (isCredential(field[0]) ? [field] : edit([field])));
}

function isCredential(name: string): boolean {
  return ['authorization', 'x-api-key'].includes(name.toLowerCase());
}

function cased(name: string, random: () => number): string {
  return Array.from(name)
    .map((letter) => (random() < 0.5 ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');
}

const further: Headers = [
  ['Server', 'gateway/2.7'],
  ['Via', '1.1 edge-7 (balancer)'],
  ['X-Request-Id', '9f1c2d3e4b5a'],
  ['ETag', 'W/"4711"'],
  ['Vary', 'Accept-Encoding, Origin'],
  ['Strict-Transport-Security', 'max-age=31536000'],
  ['X-RateLimit-Limit', '60'],
  ['Set-Cookie', 'route=a1; Path=/; HttpOnly'],
  ['Set-Cookie', 'session=x; Expires=Wed, 21 Oct 2026 07:28:00 GMT'],
  ['Set-Cookie', 'lang=en'],
  ['Access-Control-Allow-Origin', '*'],
  ['X-Empty', ''],
];

function furtherHeaders({ random }: Making): Wire {
  const more = (headers: Headers) => shuffled([...headers, ...further], random);
  return joinedWires([
    onAnswers((answer) => ({ ...answer, headers: more(answer.headers) })),
    onDeliveries((arrival) => ({
      ...arrival,
      headers: [
        ...arrival.headers,
        ['User-Agent', 'callbacks/3.1'],
        ['X-Request-Id', '77ab'],
        ['Traceparent', '00-1-2-01'],
      ],
    })),
  ]);
}

function withRetryAfter(headers: Headers, body: Uint8Array): Headers {
  const value = readJson(body);
  const seconds = isMembers(value) ? value.retryAfter : undefined;
  return typeof seconds === 'number'
    ? withField(headers, 'retry-after', String(Math.ceil(seconds)))
    : headers;
}

const spellings = [
  'application/json',
  'application/json;charset=utf-8',
  'Application/JSON; Charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json ; charset=utf-8',
];

function respelt([name, value]: readonly [string, string], random: () => number): readonly [string, string] {
  const isJson = name.toLowerCase() === 'content-type' && /^application\/json\b/i.test(value);
  return [name, isJson ? (spellings[Math.floor(random() * spellings.length)] ?? value) : value];
}
