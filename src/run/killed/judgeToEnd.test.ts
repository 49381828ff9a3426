import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { statusBody, subscribed } from '../../../test/support/judge/bodies.ts';
import { exchange, testStart } from '../../../test/support/judge/exchanges.ts';
import { passenger } from '../../../test/support/judge/passenger.ts';
import type { Exchange } from '../../core/evidence.ts';
import { Redactor } from '../../core/redact.ts';
import { outcomeOf } from '../../engine/findings/outcome.ts';
import { readSuites } from '../../engine/session/suites.ts';
import { reportFiles } from '../../report/reportDir.ts';
import { openJournal } from '../../send/journal.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { headEvent } from './head.ts';
import { judgeToEnd } from './judgeToEnd.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-to-end-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const keys = { primary: 'env:P' };
const settings = resolveSettings({ target: 'http://127.0.0.1:1', keys }, { env: { P: 'k-123456' } });
const [check] = (await readSuites()).filter(({ id }) => id === 'wci.passive.known-bookings');
if (check === undefined) throw new Error('expected the check of known bookings; got none');
const settled = [outcomeOf(check, () => ({ status: 'pass', samples: 1, reason: null }))];

/** What a run that was killed after these exchanges is found to have broken at its end. */
async function brokenIn(
  all: readonly Exchange[],
  { underWay, preliminary = [check?.id ?? ''] }: { underWay?: Exchange; preliminary?: string[] } = {},
) {
  const journal = openJournal(join(folder, reportFiles.evidence), new Redactor());
  journal.event(testStart, headEvent, {});
  for (const [index, one] of all.entries()) {
    if (index === 1 && underWay) await journal.sending(underWay.timings.sentAt, underWay);
    journal.exchange(one, []);
  }
  await journal.close();
  const outcomes = await judgeToEnd(folder, { settled, preliminary: new Set(preliminary) }, settings);
  return outcomes.flatMap(({ findings, verdict }) =>
    findings.map(({ requirement }) => [requirement, verdict.status]),
  );
}

const requestHeaders = [['content-type', 'application/json']] as const;
const leg = { airline: 'EK', flight_number: '3', origin: 'DXB', destination: 'LHR' };
const flights = [{ ...leg, departure_datetime: '2026-03-29T10:30:00' }];
const sent = { pnr: 'ABC123', flights, passengers: [passenger] };
const subscribe = (at: number, more: object = {}) =>
  exchange({ operation: 'wci.subscribe', at, requestHeaders, sent, body: subscribed({ ...more }) });
const incomplete = { sub_status: 'MISSING_INFO', missing_info: ['passport'] };

test('what is known only at the end of a run is found where it was killed before', async () => {
  const quota = { included_units: 100, consumed_units: 4 };
  const all = [subscribe(0), subscribe(60_000, { checkin_id: 'chk-0987654321', quota })];
  expect(await brokenIn(all)).toEqual([['WCI-SUB-015', 'fail']]);
  expect(await brokenIn(all, { preliminary: [] })).toEqual([]);
});

test('a request that was under way may have done what is seen', async () => {
  const seen = exchange({ operation: 'wci.status', at: 60_000, body: statusBody(incomplete) });
  const underWay = exchange({
    ...{ operation: 'wci.update', at: 30_000, requestHeaders },
    sent: { checkin_id: 'chk-1234567890', passengers: [{ ...passenger, passport: null }] },
  });
  expect(await brokenIn([subscribe(0), seen])).not.toEqual([]);
  expect(await brokenIn([subscribe(0), seen], { underWay })).toEqual([]);
});
