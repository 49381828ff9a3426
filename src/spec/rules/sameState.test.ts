import { expect, test } from 'vitest';
import type { JsonObject } from '../../trace/body.ts';
import { item, listBody, statusBody } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast } from '../../../test/support/judge/exchanges.ts';

const at = (milliseconds: number) => ({ last_updated: `2026-03-01T11:00:00.${milliseconds}Z` });
const id = 'chk-1234567890';
const status = (more: JsonObject = {}, name = 'checkin_id') =>
  exchange({ operation: 'wci.status', query: `${name}=${id}`, body: statusBody({ ...at(123), ...more }) });
const list = (more: JsonObject = {}) =>
  exchange({ operation: 'wci.list', body: listBody([item({ ...at(123), ...more })]) });
const failed = { status: 'FAILED', sub_status: 'BROKEN' };

test('a list shows the state that a status shows before and after it', () => {
  expect(judgeLast(status(), list()).holds).toContain('WCI-STS-008');
  const stale = list({ sub_status: 'OTHER' });
  expect(judgeLast(status(), stale, status()).violated).toContain('WCI-STS-008');
  expect(judgeLast(status(failed), list(), status(failed)).violated).toContain('WCI-STS-013');
  // It may have moved, and so it has where it shows another time.
  expect(judgeLast(status(), stale, status({ sub_status: 'OTHER' })).violated).not.toContain('WCI-STS-008');
  expect(judgeLast(status(), list({ ...at(999), sub_status: 'OTHER' }), status()).violated).not.toContain(
    'WCI-STS-008',
  );
});

test('the alias gives the same answer', () => {
  expect(judgeLast(status(), status({}, 'checkinId')).holds).toContain('WCI-STS-002');
  const passes = { boarding_passes: ['https://example.com/1'] };
  expect(judgeLast(status(passes), status({}, 'checkinId'), status(passes)).violated).not.toContain(
    'WCI-STS-009',
  );
  const other = status({ sub_status: 'OTHER' }, 'checkinId');
  expect(judgeLast(status(), other, status()).violated).toContain('WCI-STS-002');
});

test('reading moves nothing, as far as each of several reads in a row shows', () => {
  const reads = [111, 222, 333, 444].map((ms) => status(at(ms)));
  expect(judgeLast(...reads).violated).toContain('WCI-STS-009');
  expect(judgeLast(...reads.slice(0, 3)).violated).toEqual([]);
});
