import { expect, test } from 'vitest';
import type { Exchange, TransportFailure } from '../core/evidence.ts';
import { exchange } from '../../test/support/judge/exchanges.ts';
import { list, subscribe, type ApiRequest } from './request.ts';
import { furtherTries } from './resend.ts';

const html = [['Content-Type', 'text/html']] as const;
const page = (status: number) => exchange({ operation: 'wci.list', status, raw: '<h1>', headers: html });
const lost = (reason: TransportFailure['reason'], maybeDelivered: boolean): Exchange => ({
  ...page(200),
  outcome: { kind: 'failure', failure: { reason, message: '', maybeDelivered } },
});

test.each<[what: string, request: ApiRequest, came: Exchange, tries: number]>([
  ['a read that was reset', list(), lost('reset', true), 2],
  ['a read that took too long', list(), lost('timeout', true), 1],
  ['a read that a gateway answered', list(), page(503), 2],
  [
    'a read that the API refused with JSON',
    list(),
    exchange({ operation: 'wci.list', status: 502, body: {} }),
    0,
  ],
  ['a read that a firewall answered', list(), page(403), 0],
  ['a read over broken TLS', list(), lost('tls', false), 0],
  ['a subscribe that never arrived', subscribe({}), lost('refused', false), 4],
  ['a subscribe that may have arrived', subscribe({}), lost('reset', true), 0],
  ['a subscribe that a gateway answered', subscribe({}), page(502), 0],
  ['what is sent once', { ...list(), once: true }, lost('reset', true), 0],
  ['what wants to see a limit at work', list({}, { wantsRefusal: true }), lost('reset', true), 0],
])('%s is sent again as often as can do no harm', (_what, request, came, tries) => {
  expect(furtherTries(request, came)).toBe(tries);
});
