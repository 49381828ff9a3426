import { ownStart } from '../../src/core/ownStart.ts';
import { answer, openHostileServer } from '../support/hostileServer.ts';
import { headersOf, raw, shaped, steered, type HostileRow } from './row.ts';

const json = { 'Content-Type': 'application/json' };
const huge = 'h'.repeat(1 << 20);

/** Members that steer a check, each with values that nobody expects. */
const values: readonly (readonly [member: string, values: readonly unknown[]])[] = [
  ['totalPages', [2e9, '2000000000', 1e308, -1, 0, null, [], 'NaN', 1.5]],
  ['total', [2e9, 1e308, -1, null, '9'.repeat(1000)]],
  ['page', [2e9, -1, null, 'x']],
  ['limit', [0, -1, 1e308, null]],
  [
    'data',
    [
      null,
      {},
      'x',
      Array(10_000).fill(null),
      ...[3000, 50_000].map((count) => Array<object>(count).fill({ checkin_id: 'a' })),
    ],
  ],
  [
    'checkin_id',
    [huge, '../../etc/passwd', 'a\r\nX: y', '\0', 'http://127.0.0.1:9/', 7, null, '', '🛫'.repeat(500)],
  ],
  ['checkin_id', ['\ud800', 'a&checkin_id=b#c?d', '%2e%2e%2f%00', '__proto__', '\u202ecba', '.', {}]],
  ['booking_id', [1e308, -1, '1e5', 9007199254740993, null]],
  ['consumed_units', [1e308, -1e308, 'many', null, -1]],
  ['included_units', [1e308, -1, null, 0]],
  [
    'created_at',
    [
      '+275760-09-13T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
      'soon',
      1e308,
      '',
      null,
      '9999-12-31T23:59:59.999Z',
    ],
  ],
  ['last_updated', ['1970-01-01T00:00:00.000Z', '+275760-09-13T00:00:00.001Z', -1, huge]],
  ['scheduled_time', ['9999-12-31T23:59:59.999Z', 'x', 8.64e15]],
  ['status', [huge, ' '.repeat(400_000), 5, null, '\u001b[2J']],
  ['missing_info', [Array(100_000).fill('passport'), 'x', { length: 1e9 }]],
  ['message', [huge, '\u001b]0;x\u0007', null, { a: 1 }]],
  ['error', [huge, [], 'A'.repeat(70_000)]],
  [
    'boarding_passes',
    [
      ['javascript:alert(1)', 'file:///etc/passwd', 'http://169.254.169.254/'],
      Array(50_000).fill('https://a/'),
    ],
  ],
  ['flights', [Array(20_000).fill({}), 'x']],
  ['scheduledTime', ['2026-02-30 25:61:61', '9'.repeat(10_000), 1e308]],
  ['utcOffsetSeconds', [1e308, '-99999999999', 'x']],
  ['alternateInfo', [Array(50_000).fill({ status: 'x' })]],
  ['flightNumber', [huge, '', 12]],
  ['sub_status', ['\ud800', '__proto__', {}]],
  ['success', ['true', 1, null, { valueOf: 1 }]],
  ['latest_status_snapshot', [null, [], 'x', { departure: null, arrival: [] }]],
  ['callbackApiKey', ['\ud800', ' '.repeat(50), { a: 1 }]],
  ['callbackApiKey', [huge, '', 'a"b\r\nc', 5]],
];

const steering = values.flatMap(([member, list]) =>
  list.map((value): HostileRow => ({
    group: 'steering values',
    name: `${member} is ${nameOf(value)}`,
    end: 'any',
    open: steered(member, value),
  })),
);

function nameOf(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${ownStart(text, 30)}… of ${text.length} characters` : text;
}

const waits = [
  '{"error":"RATE_LIMITED","retryAfter":31536000}',
  '{"error":"RATE_LIMITED","retryAfter":1e308}',
  '{"error":"RATE_LIMITED","retryAfter":0.01}',
  '{"error":"RATE_LIMITED","retryAfter":0}',
  '{"error":"RATE_LIMITED","retryAfter":-5}',
  '{"error":"RATE_LIMITED","retryAfter":"soon"}',
  '{"error":"RATE_LIMITED","retryAfter":[9]}',
  '{}',
  '<html>slow down</html>',
];
const limits = [
  ...['99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT', '-1', 'soon'].map((after): HostileRow => ({
    group: 'rate limits',
    name: `always 503 with Retry-After: ${after}`,
    end: 'any',
    open: raw((socket) =>
      socket.write(answer('503 Service Unavailable', { ...json, 'Retry-After': after }, '{}')),
    ),
  })),
  ...waits.map((body): HostileRow => ({
    group: 'rate limits',
    name: `always 429 with ${body}`,
    end: 'any',
    open: raw((socket) => socket.write(answer('429 Too Many Requests', json, body))),
  })),
];

/** A redirect to a server that no request may come to. */
function redirect(status: string, locationOf: (elsewhere: string) => string): HostileRow {
  return {
    group: 'redirects',
    name: `${status} to ${locationOf('another server').slice(0, 80)}`,
    end: 'lost',
    open: async () => {
      const other = await openHostileServer((socket) =>
        socket.write(answer('200 OK', json, '{"success":true,"data":[]}')),
      );
      const server = await openHostileServer((socket) =>
        socket.write(answer(status, { Location: locationOf(other.url) }, '')),
      );
      return {
        url: server.url,
        elsewhere: other.requests,
        close: () => Promise.all([server.close(), other.close()]),
      };
    },
  };
}

const redirects = [
  ...[
    '301 Moved Permanently',
    '302 Found',
    '303 See Other',
    '307 Temporary Redirect',
    '308 Permanent Redirect',
  ].map((status) => redirect(status, (elsewhere) => elsewhere)),
  redirect('302 Found', () => '/extPartner/api/webcheckin/requests'),
  redirect('302 Found', () => 'file:///etc/passwd'),
  redirect('302 Found', () => 'http://169.254.169.254/latest/meta-data/'),
  redirect('307 Temporary Redirect', (elsewhere) => `${elsewhere}/${'a'.repeat(10_000)}`),
  redirect('308 Permanent Redirect without a scheme', (elsewhere) => elsewhere.replace('http:', '')),
  redirect('302 Found', () => 'http://[::1/%00'),
  redirect('300 Multiple Choices', (elsewhere) => elsewhere),
];

const dates = [
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'yesterday',
  '',
  new Date(Date.now() + 400 * 86_400_000).toUTCString(),
  new Date(Date.now() - 400 * 86_400_000).toUTCString(),
  new Date(Date.now() + 3_600_000).toUTCString(),
  '9'.repeat(300),
];
const clock = [
  ...dates.map((date): HostileRow => ({
    group: 'clock',
    name: `Date: ${date.length > 60 ? `${date.slice(0, 20)}… of ${date.length} characters` : date || 'nothing'}`,
    end: 'any',
    blames: 'nobody',
    open: dated(() => date),
  })),
  {
    group: 'clock',
    name: 'a Date that jumps by years',
    end: 'any',
    blames: 'nobody',
    open: dated((count) => new Date(Date.now() + (count % 5) * 4e10).toUTCString()),
  },
  {
    group: 'clock',
    name: 'a Date that runs backwards',
    end: 'any',
    blames: 'nobody',
    open: dated((count) => new Date(Date.now() - count * 5e6).toUTCString()),
  },
] satisfies readonly HostileRow[];

function dated(dateOf: (count: number) => string): HostileRow['open'] {
  let count = 0;
  return shaped(async (response) => {
    const headers = headersOf(response);
    headers.set('date', dateOf((count += 1)));
    return new Response(await response.text(), { status: response.status, headers });
  });
}

/** Values, waits, places and times that are to lead a run elsewhere. */
export const valueRows: readonly HostileRow[] = [...steering, ...limits, ...redirects, ...clock];
