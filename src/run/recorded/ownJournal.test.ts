import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runReference } from '../../../test/support/recordReference.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { createRandom, deriveSeed } from '../../core/random.ts';
import { Redactor } from '../../core/redact.ts';
import type { Settings } from '../../core/settings.ts';
import { openClockBook } from '../../engine/clock/clockBook.ts';
import type { CheckOutcome } from '../../engine/findings/outcome.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import type { PassiveTallies } from '../../engine/findings/tally.ts';
import { knownFlights } from '../../judge/flightAlerts/oracles/knownFlights.ts';
import { owedNotices } from '../../judge/flightAlerts/oracles/owedNotices.ts';
import { knownBookings } from '../../judge/webcheckin/oracles/knownBookings.ts';
import { noJournal, openJournal } from '../../send/journal.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { keyRingOf } from '../../target/url.ts';
import type { Claimed, Note } from '../../trace/evidence.ts';
import { randomAssignment } from '../prove/coveringArray.ts';
import { factors, policyOfJob } from '../prove/job.ts';
import type { SetUp } from '../prove/setUp.ts';
import { readRecorded } from './readRecorded.ts';
import { RecordedJudge } from './recordedJudge.ts';

/*
 * A run can be judged again from its journal alone: each passive oracle says the same of the same evidence.
 */

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-own-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'evidence.ndjson');

interface Recorded {
  readonly settings: Settings;
  readonly checks: readonly EngineCheck[];
}

async function judgeAgain({ settings, checks }: Recorded) {
  const [redactor, keys] = [new Redactor(), keyRingOf(settings)];
  const { recorded } = await readRecorded(
    { files: [path], targets: [], isOneEnterprise: false },
    keys,
    redactor,
  );
  const judge = new RecordedJudge({
    ...{ settings, checks, keys, redactor, journal: noJournal, clockBook: openClockBook(null, 'http://t') },
  });
  for (const one of recorded) judge.add(one);
  for (const one of recorded) await judge.see(one);
  const outcomes = judge.end();
  return { outcomes, tallies: judge.observer.tallies };
}

/** Rules that go by earlier requests: a form that is redacted may be open, so that fewer of their samples are certain. */
const followed = new Set([knownBookings, knownFlights, owedNotices].flatMap(({ verifies }) => verifies));

function countOf(id: string, samples: number): number {
  return followed.has(id) ? Math.min(samples, 1) : samples;
}

/** All that passive oracles said: samples by requirement, and violations with their first evidence. */
function saidIn(tallies: PassiveTallies) {
  const said = loadCatalogue().requirements.map(({ id }) => {
    const { samples: count, notApplicable, fault, violations } = tallies.of(id);
    const samples = countOf(id, count);
    const broken = [...violations.values()].map(({ judgement, evidence, count }) =>
      [judgement.code, evidence.map((one) => one.id).join(), count].join(' '),
    );
    return [id, { samples, notApplicable, fault, broken }] as const;
  });
  return Object.fromEntries(said.filter(([, { samples }]) => samples > 0));
}

/** The verdicts of passive checks that were not skipped; why others were is another matter for a recording. */
function verdictsIn(outcomes: readonly CheckOutcome[], checks: readonly EngineCheck[]) {
  const passive = new Set(checks.filter(({ kind }) => kind === 'passive').map(({ id }) => id));
  return outcomes
    .filter(({ check }) => passive.has(check))
    .flatMap(({ verdicts }) => [...verdicts])
    .filter(([, { status }]) => status !== 'skipped')
    .map(([id, { status, samples, reason }]) => [id, status, countOf(id, samples), reason].join(' '))
    .sort();
}

const random = (name: string) => randomAssignment(factors(), createRandom(deriveSeed(7, name)));

interface Deployment {
  readonly deployment: string;
  readonly defect?: string;
  readonly dialect?: ReturnType<typeof random>;
  readonly setUp?: SetUp;
}

test.each<Deployment>([
  { deployment: 'as documented' },
  { deployment: 'of a dialect that notifies early', dialect: random('@1') },
  { deployment: 'of another dialect', dialect: random('@6') },
  { deployment: 'with a mistake', defect: 'status-of-anyone' },
  { deployment: 'that changes credentials', defect: 'webhook-bearer-added' },
  { deployment: 'that mixes credentials up', defect: 'notify-partner-key' },
  { deployment: 'that shows keys', defect: 'key-is-api-key' },
  { deployment: 'with one key', defect: 'lookup-cacheable', setUp: 'one-key' },
])(
  'the journal of a run against a deployment $deployment is judged as the run was',
  { timeout: 120_000 },
  async ({ defect = null, dialect = {}, setUp = 'embedded' }) => {
    const policy = policyOfJob({ dialect, defect });
    const run = await runReference(policy, { setUp, journal: (redactor) => openJournal(path, redactor) });
    const again = await judgeAgain(run);
    const [own, said] = [run.session.observations.observer.tallies, saidIn(again.tallies)];
    expect(said).toEqual(saidIn(own));
    expect(Object.keys(said).length).toBeGreaterThan(90);
    if (defect !== null) expect(Object.values(said).some(({ broken }) => broken.length > 0)).toBe(true);
    expect(verdictsIn(again.outcomes, run.checks)).toEqual(verdictsIn(run.session.outcomes, run.checks));
  },
);

const settings = resolveSettings({ target: 'embedded' }, { env: {} });

/** Writes a journal as a run does, and judges it. */
async function judged(...entries: readonly (Claimed | ReturnType<typeof exchange> | Note)[]) {
  const journal = openJournal(path, new Redactor());
  for (const entry of entries)
    if ('timings' in entry) journal.exchange(entry, []);
    else journal.note('type' in entry ? entry : { type: 'claim', at: 0, ...entry });
  await journal.close();
  const { tallies } = await judgeAgain({ settings, checks: [] });
  return (id: string) => ({ broken: [...tallies.of(id).violations.keys()], samples: tallies.of(id).samples });
}

const shown = (booking: number, created = '2026-03-01T12:00:00.000Z') =>
  exchange({
    operation: 'wci.status',
    query: 'checkin_id=chk-1234567890',
    body: { success: true, checkin_id: 'chk-1234567890', booking_id: booking, created_at: created },
  });
const run = { claim: 'own-records' } as const;
const reset: Note = {
  ...{ type: 'step', id: 's1', operation: 'reset', params: {}, startedAt: 0, endedAt: 1 },
  ...{ outcome: 'done', error: null, told: {}, movedMs: 0 },
};

test('after a reset, ids may come again for other records', async () => {
  expect((await judged(run, shown(1), shown(2)))('WCI-STS-006').broken).toEqual(['booking_id']);
  expect((await judged(run, shown(1), reset, shown(2)))('WCI-STS-006').broken).toEqual([]);
});

test('what an outage broke, and what another server said, is taken back as the run did', async () => {
  const bad = exchange({
    operation: 'wci.list',
    status: 500,
    raw: 'oops',
    headers: [['Content-Type', null]],
  });
  const outage = { claim: 'outage', exchanges: [bad.id], why: 'it was down' } as const;
  expect((await judged(run, bad))('SHR-ERR-001').broken).toEqual(['shape']);
  expect((await judged(run, bad, outage))('SHR-ERR-001').broken).toEqual([]);
  expect((await judged(run, bad, { claim: 'stranger' }))('SHR-ERR-001').samples).toBe(0);
});

test('a request that was cut off each time breaks the rule of the answers again', async () => {
  const lost = exchange({ operation: 'wci.update', sent: {} });
  const failure = { reason: 'reset', message: 'closed', maybeDelivered: true } as const;
  const cut = { ...lost, outcome: { kind: 'failure', failure } } as const;
  expect((await judged(run, cut))('SHR-ERR-015').broken).toEqual([]);
  const claim = { claim: 'cut-off', exchanges: [cut.id] } as const;
  expect((await judged(run, cut, claim))('SHR-ERR-015').broken).toEqual(['cut-off']);
});

test('damaged lines are left out, and claims of a later version with them', async () => {
  await judged(run, shown(1), shown(2));
  appendFileSync(path, '{"type":"claim","at":"2026-07-01T10:00:00.000Z","claim":"of-later"}\n{"type":"step"');
  const { tallies } = await judgeAgain({ settings, checks: [] });
  expect([...tallies.of('WCI-STS-006').violations.keys()]).toEqual(['booking_id']);
});

test('a journal without claims is read as carefully as before', async () => {
  const policy = policyOfJob({ dialect: {}, defect: 'webhook-bearer-added' });
  const only = ['wci.callbacks.*'];
  const whole = await runReference(policy, { only, journal: (redactor) => openJournal(path, redactor) });
  const lines = readFileSync(path, 'utf8').split('\n');
  const head = '{"type":"event","at":"2026-07-15T09:30:00.000Z","name":"head","data":{}}';
  writeFileSync(path, [head, ...lines.filter((line) => !/^\{"type":"(claim|step)"/.test(line))].join('\n'));
  const { tallies } = await judgeAgain(whole);
  expect(tallies.of('WCI-CB-005').samples).toBe(0);
  expect(tallies.of('WCI-CB-004').samples).toBeGreaterThan(0);
});
