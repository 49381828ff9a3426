import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sampleFinding, sampleRequirement, sampleResult } from '../../../test/support/sampleResult.ts';
import type { ExchangeLine } from '../../send/journalLine.ts';
import { noEvidence, type ShownEvidence } from '../page/pageData.ts';
import { allureResults, writeAllure } from './allureResults.ts';
import { wireText } from './steps.ts';

const exchange: ExchangeLine = {
  ...{ type: 'exchange', id: 'x17', check: 'wci.status.unknown', operation: 'wci.status' },
  ...{ enterprise: 'primary', key: 'primary#1', startedAt: '2026-01-31T10:00:01.000Z', durationMs: 12.5 },
  request: {
    method: 'GET',
    url: 'https://qa.example/extPartner/api/webcheckin/status?checkin_id=a',
    headers: [['X-API-Key', '‹key primary#1›']],
    body: null,
  },
  response: { status: 400, headers: [], body: { text: '{"error":"VALIDATION_ERROR"}' }, truncated: false },
  failure: null,
};
const start = Date.parse(exchange.startedAt);
const evidence: ShownEvidence = { lines: { x17: exchange }, states: [] };
const times = new Map([
  ['wci.status.unknown', { requests: 1, startMs: start, endMs: start + 12.5, busyMs: 12.5 }],
]);

const named = (id: string, results = allureResults(sampleResult(), evidence, times)) =>
  results.find(({ fullName }) => fullName === `gatecheck#${id}`);

it('epic, feature and story are document, section and requirement, and the severity is the level', () => {
  const labels = (id: string) =>
    (named(id)?.labels ?? []).filter(({ name }) => /^(?:epic|feature|story|severity)$/.test(name));
  expect(labels('WCI-STS-004').map(({ value }) => value)).toEqual([
    'Web Check-in',
    'GET /extPartner/api/webcheckin/status',
    'WCI-STS-004',
    'critical',
  ]);
  expect(labels('FLA-LKP-010').at(-1)?.value).toBe('normal');
});

it('a finding is a step, with its requests below, what was on the wire attached, and when it was', () => {
  const one = named('WCI-STS-004');
  expect(one).toMatchObject({ status: 'failed', start, stop: start + 13 });
  const [step] = one?.steps ?? [];
  expect(step?.steps.map(({ name, status, attachments }) => [name, status, attachments[0]?.source])).toEqual([
    [
      '1. GET /extPartner/api/webcheckin/status?checkin_id=a with primary#1: HTTP 400 ← breaks the rule',
      'failed',
      'x17-attachment.txt',
    ],
  ]);
  expect(one?.links.map(({ url }) => url)).toEqual([
    '../report.html#WCI-STS-004',
    '../report.html#finding-WCI-STS-004.997d5a67',
  ]);
});

it.each([
  ['WCI-STS-001', 'passed'],
  ['SHR-AUT-003', 'skipped'],
  ['FLA-LKP-010', 'passed'],
  ['FLA-CB-001', 'broken'],
  ['WCI-OPN-001', 'passed'],
])('%s is %s', (id, status) => {
  expect(named(id)?.status).toBe(status);
});

it('known failures are known, and open points are parameters that tell no test from another', () => {
  const row = sampleRequirement({ id: 'WCI-STS-004', verdict: 'fail', baselined: true });
  const results = allureResults(
    sampleResult({ requirements: [row], findings: [sampleFinding()] }),
    noEvidence,
  );
  expect(results[0]?.statusDetails).toMatchObject({ known: true, muted: true });
  const { parameters = [] } = named('WCI-OPN-001') ?? {};
  expect(parameters).toContainEqual({
    name: 'observed',
    value: 'two alphanumeric characters',
    excluded: true,
  });
  expect(parameters.every(({ excluded }) => excluded)).toBe(true);
});

it('the history goes by the requirement, the run by its id', () => {
  const later = sampleResult();
  const again = allureResults({ ...later, run: { ...later.run, id: 'another', seed: 7 } }, noEvidence);
  expect(named('WCI-STS-004', again)?.historyId).toBe(named('WCI-STS-004')?.historyId);
  expect(named('WCI-STS-004', again)?.uuid).not.toBe(named('WCI-STS-004')?.uuid);
});

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'gatecheck-'));
});
afterEach(() => rm(dir, { recursive: true }));

it('a folder holds the results of one run only, with what was on the wire', async () => {
  await writeFile(join(dir, 'older-result.json'), '{}');
  await writeAllure(sampleResult(), { evidence, times }, dir);
  const names = await readdir(dir);
  expect(names.filter((name) => name.endsWith('-result.json'))).toHaveLength(8);
  expect(names).not.toContain('older-result.json');
  const text = await readFile(join(dir, 'x17-attachment.txt'), 'utf8');
  expect(text).toContain('HTTP 400\n\n{\n  "error": "VALIDATION_ERROR"\n}');
  const environment = await readFile(join(dir, 'environment.properties'), 'utf8');
  expect(environment).toContain('WCI-OPN-001=two alphanumeric characters\n');
});

it('a body of many levels is attached as it came, since indenting it takes the square of them', () => {
  const text = '['.repeat(4_000) + ']'.repeat(4_000);
  const line = { ...exchange, response: { status: 200, headers: [], body: { text }, truncated: false } };
  expect(wireText(line).endsWith(`HTTP 200\n\n${text}`)).toBe(true);
});
