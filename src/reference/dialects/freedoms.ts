import { invalid } from '../shared/refusal.ts';
import type { Moment } from '../shared/moment.ts';
import type { SharedPolicy } from '../shared/policy.ts';
import { randomToken } from '../shared/tokens.ts';
import { point, type DialectPoint } from './point.ts';

type Members = Readonly<Record<string, unknown>>;

/** What the documents leave free without a question: texts for people, ids, clocks of several machines, order of sets. */
export const freedoms: readonly DialectPoint[] = [
  point('error-notes', null, {
    none: {},
    'about-the-request': { noteOnError: withNotes },
    'in-the-text': { noteOnError: withReference },
  }),
  point('checkin-message', 'WCI-OPN-060', {
    'by-state': {},
    'by-time': { messageShown: (message, { now }) => `${message} Seen ${Math.floor(now / 100)}.` },
    'by-look': { messageShown: (message, { serial }) => `${message} (${serial})` },
    'in-languages': { messageShown: (message, { serial }) => `${languages[serial % 4] ?? ''}: ${message}` },
    constant: { stateText: () => 'Web check-in' },
    empty: { stateText: () => '' },
  }),
  point('missing-order', 'WCI-OPN-064', {
    kept: {},
    'by-look': { missingShown: (missing, { serial }) => turned(missing, serial) },
  }),
  point('pass-urls', 'WCI-OPN-090', {
    fixed: {},
    signed: { finishedPasses: (passes) => passes.map(withSignature) },
    'one-look-links': { finishedPasses: (passes) => passes.map(linkForOneLook) },
  }),
  point('list-lag', null, { none: {}, 'half-a-second': { listLagMs: 450 } }),
  point('reason-text', null, {
    own: {},
    same: { reasonText: () => 'The journey does not meet our rules.' },
  }),
  point('written-at', null, {
    'one-clock': {},
    'update-first': { writtenAt: ({ now }, what) => (what === 'created' ? now + 40 : now) },
    'two-nodes': {
      writtenAt: ({ now, serial }) => now - skewOf(serial),
      occurredAt: (changedAt) => changedAt - skewOf(Math.floor(changedAt / 7)),
    },
    // No record may seem to be changed before it was made, whichever of the machines writes it down.
    'two-nodes-clamped': {
      writtenAt: ({ now, serial }, _what, createdAt) => Math.max(now - skewOf(serial), createdAt ?? 0),
    },
    'whole-seconds': { writtenAt: ({ now }) => Math.floor(now / 1000) * 1000 },
  }),
  // Web servers refuse what is too long for them by themselves.
  point('front-refusals', 'SHR-OPN-017', {
    read: {},
    json: { front: refusing(() => Response.json(tooLong, { status: 413 })) },
    empty: { front: refusing(() => new Response(null, { status: 431 })) },
    // A path that cannot be decoded is no operation's; the HTTP server of Go answers it before any handler.
    'page-for-paths': { front: ({ url }, answer) => (isDecodable(url) ? answer() : badPath()) },
  }),
  // HTTP allows a server to ask for the length of a body.
  point('chunked-bodies', 'SHR-OPN-018', {
    read: {},
    'length-required': {
      chunkedBody: () =>
        Promise.resolve(
          Response.json(
            { success: false, error: 'LENGTH_REQUIRED', message: 'Content-Length is required.' },
            { status: 411 },
          ),
        ),
    },
  }),
  // A web server in front of the application goes by the clock of the machine, or writes no such header.
  point('date-header', null, {
    own: {},
    machine: { dateShown: (_now, machine) => machine },
    none: { dateShown: () => null },
  }),
  point('checkin-ids', null, {
    prefixed: {},
    numbers: { newCheckinId: (_random, { serial }) => String(1000 + serial) },
    // So few characters that many a text of that length is an id.
    short: { newCheckinId: (_random, { serial }) => serial.toString(36) },
    uuids: { newCheckinId: (random) => uuid(random) },
    'by-time': { newCheckinId: (random, { now }) => `${now.toString(36)}-${randomToken(random, 6)}` },
    odd: { newCheckinId: (random) => `CK/${randomToken(random, 12)}+=${'~'.repeat(150)}é %41` },
  }),
  point('booking-numbers', null, {
    'six-digits': {},
    small: { bookingNumber: (running) => running % 100_000 },
    // Nothing says that the booking_id of one enterprise is not that of another one's booking as well.
    'by-enterprise': { bookingNumber: (_running, own) => own },
    falling: { bookingNumber: (_running, own) => 2 ** 53 - own },
    scattered: { bookingNumber: (running) => Number((BigInt(running) * 1_103_515_245n) % 2n ** 31n) },
    largest: { bookingNumber: (running) => Number.MAX_SAFE_INTEGER - 2_000_000 + 2 * running },
  }),
  point('quota', 'WCI-OPN-066', {
    after: {},
    before: {
      quotaShown: ({ included_units, consumed_units }, taken) => ({
        included_units,
        consumed_units: consumed_units - taken,
      }),
    },
    'with-a-unit': {
      quotaShown: ({ included_units, consumed_units }, taken) =>
        taken > 0 ? { included_units, consumed_units } : undefined,
    },
    never: { quotaShown: () => undefined },
    null: { quotaShown: () => null },
  }),
  point('repeated-parameter', null, { refused: {}, first: { repeatedParameter: 'first' } }),
  point('host-reading', null, {
    parsed: {},
    'as-written': { hostOf: (_url, written) => /^[a-z]+:\/\/([^/?#:]+)/i.exec(written)?.[1] ?? '' },
  }),
  // Half a surrogate pair is no character: stores that hold UTF-8 cannot take it, and parsers refuse the whole body.
  point('half-characters', null, { kept: {}, refused: { jsonBody: refusingHalves } }),
  point('spelled-number', 'WCI-OPN-070', {
    'as-written': {},
    // As parsers of several languages do.
    prefix: { spelledNumber: (text) => /^\s*([+-]?\d+)(?!\.\d|\d)/.exec(text)?.[1] ?? text },
    underscored: {
      spelledNumber: (text) =>
        text
          .trim()
          .replace(/(?<=\p{Nd})_(?=\p{Nd})/gu, '')
          .normalize('NFKC'),
    },
    floating: {
      spelledNumber: (text) =>
        text.trim() !== '' && Number.isSafeInteger(Number(text)) ? String(Number(text)) : text,
    },
  }),
];

const languages = ['Deutsch', 'English', 'français', 'العربية'];

/** Members about the request, as gateways and frameworks add them. */
function withNotes(body: unknown, { now, serial }: Moment): unknown {
  return {
    ...(body as Members),
    requestId: serial,
    durationMs: (serial * 7) % 40,
    timestamp: new Date(now).toISOString(),
    attempt: { of: serial.toString(16), node: serial % 2, left: 1000 - (serial % 997) },
    links: [`https://errors.example.com/?request=${serial}`],
  };
}

/** A text for people that no other answer has. */
function withReference(body: unknown, { now, serial }: Moment): unknown {
  const members = body as Members;
  if (typeof members.message !== 'string') return body;
  const at = new Date(now).toISOString().slice(11, 19);
  return { ...members, message: `${members.message} (No. ${serial}, ${at} UTC, ${serial % 60} left)` };
}

function refusingHalves(body: unknown): unknown {
  // Well-formed characters stand in JSON as they are; only halves are escaped.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(body)))
    throw invalid('The body is not text in UTF-8.');
  return body;
}

function turned(items: readonly unknown[], by: number): readonly unknown[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** How far the clock of the node that does this is behind: two nodes take turns. */
function skewOf(turn: number): number {
  return turn % 2 === 0 ? 0 : 1_950;
}

function uuid(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}

/** A URL as an object store signs it anew for each answer. */
function withSignature(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}X-Amz-Expires=900&X-Amz-Signature=${randomToken(Math.random, 16)}`;
}

/** A link to a pass that a service of its own makes for each answer: nothing of the URL stays. */
function linkForOneLook(): string {
  return `https://links.example.com/${randomToken(Math.random, 20)}`;
}

const tooLong = { success: false, error: 'VALIDATION_ERROR', message: 'The request is too long.' };

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(new URL(url).pathname);
    return true;
  } catch {
    return false;
  }
}

const badPath = () => Promise.resolve(new Response('400 Bad Request', { status: 400 }));

/** Refuses what is longer than most servers read. */
function refusing(refusal: () => Response): SharedPolicy['front'] {
  return ({ headers }, answer) => {
    const isTooLong = [...headers].some(([, value]) => value.length > 8 << 10);
    const bytes = Number(headers.get('content-length') ?? 0);
    return isTooLong || bytes > 1 << 20 ? Promise.resolve(refusal()) : answer();
  };
}
