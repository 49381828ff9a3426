import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequirementResult, RunResult } from '../../src/report/result.ts';
import { pastRunOf, targetKey, type History } from '../../src/report/history/history.ts';
import { historyFile, reportFiles } from '../../src/report/reportDir.ts';
import { writeReports } from '../../src/report/writeReports.ts';
import type { JournalLine } from '../../src/send/journalLine.ts';
import { sampleLoad } from './sampleLoad.ts';
import { sampleFinding, sampleRequirement, sampleResult } from './sampleResult.ts';
import { delivery, exchange, failingLines } from './sampleJournal.ts';

export const reportKinds = ['failing', 'limits', 'load', 'hostile'] as const;

export type ReportKind = (typeof reportKinds)[number];

/** Writes the report of a run that did not happen, with its evidence; returns the path of its page. */
export async function writeSampleReport(kind: ReportKind, dir: string): Promise<string> {
  const { result, lines } = samples[kind]();
  await mkdir(dir, { recursive: true });
  const journal = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeFile(join(dir, reportFiles.evidence), journal);
  if (kind === 'failing') await writeFile(join(dir, historyFile), JSON.stringify(earlier(result)));
  await writeReports(result, dir);
  return join(dir, reportFiles.html);
}

interface Sample {
  readonly result: RunResult;
  readonly lines: readonly JournalLine[];
}

const samples: Readonly<Record<ReportKind, () => Sample>> = {
  failing: () => ({ result: failing(), lines: failingLines() }),
  limits: () => ({ result: limits(), lines: [] }),
  load: () => ({ result: load(), lines: [] }),
  hostile: () => hostile(),
};

function row(id: string, given: Partial<RequirementResult> = {}): RequirementResult {
  const [area = ''] = id.split('-');
  const document = area === 'FLA' ? 'flight-alerts' : 'web-check-in';
  return sampleRequirement({
    id,
    source: [{ document, section: area === 'FLA' ? 'Events' : 'Errors' }],
    ...given,
  });
}

function failing(): RunResult {
  const sample = sampleResult();
  const bookingId = {
    expected: 'booking_id is a number',
    actual: 'booking_id is "230311"',
    case: { whole: true },
  };
  const lead = 'WCI-SUB-007.3c83f93c';
  const waits = Array.from({ length: 30 }, (_, index) =>
    row(`WCI-UPD-${String(index + 1).padStart(3, '0')}`, {
      title: 'An update changes what it says and nothing else.',
      verdict: 'inconclusive',
      samples: 0,
      reason: 'no accepted subscribe to build on: x601 answered HTTP 200 message SCHEDULED',
      heldBackBy: [lead],
      evidence: ['x601'],
    }),
  );
  return {
    ...sample,
    target: { ...sample.target, name: 'Example Airways QA' },
    tool: {
      ...sample.tool,
      documents: [
        { id: 'web-check-in', title: 'Web Check-in Partner API', version: '1.0.0' },
        { id: 'flight-alerts', title: 'Flight Alerts Partner API', version: '1.1' },
      ],
    },
    summary: {
      ...sample.summary,
      failed: 2,
      inconclusive: 30,
      passed: 41,
      gate: { state: 'not-met', because: ['2 requirements failed'] },
      reasons: ['2 requirements failed.'],
    },
    requirements: [
      row('WCI-SUB-007', {
        title: 'The subscribe response has booking_id as a JSON number.',
        verdict: 'fail',
        reason: 'booking_id is "230311"',
      }),
      row('WCI-STS-017', {
        title: 'checkin_id is a string and booking_id a number in every response that has them.',
        verdict: 'fail',
        reason: 'booking_id is "230311"',
      }),
      row('FLA-CB-006', {
        title: 'fid is echoed exactly, leading zeros included.',
        verdict: 'warn',
        api: 'flight-alerts',
        reason: 'fid "3894812811"',
      }),
      ...waits,
      ...Array.from({ length: 41 }, (_, index) => row(`SHR-ERR-${String(index + 1).padStart(3, '0')}`)),
    ],
    findings: [
      sampleFinding({
        ...bookingId,
        fingerprint: lead,
        counterexample: 'one adult on one flight',
        requirement: 'WCI-SUB-007',
        check: 'wci.passive.subscribe-answer',
        code: 'shape:booking_id',
        exchanges: ['x601'],
        decisive: 'x601',
      }),
      sampleFinding({
        ...bookingId,
        fingerprint: 'WCI-STS-017.26500393',
        requirement: 'WCI-STS-017',
        check: 'wci.passive.record-states',
        code: 'booking_id',
        exchanges: ['x601', 'x602'],
      }),
      sampleFinding({
        fingerprint: 'FLA-CB-006.11111111',
        counterexample: null,
        requirement: 'FLA-CB-006',
        check: 'fla.callbacks.echo',
        code: 'altered',
        expected: 'fid "0003894812811"',
        actual: 'fid "3894812811"',
        exchanges: ['x700', 'c8'],
        decisive: 'c8',
        severity: 'warn',
        level: 'should',
      }),
    ],
    timings: [{ operation: 'wci.subscribe', count: 120, p50Ms: 4, p95Ms: 9, p99Ms: 21, maxMs: 40 }],
  };
}

/** Runs of the days before, with less that failed. */
function earlier(result: RunResult): History {
  const own = pastRunOf(result, '2026-01-31-100000-aaaaaa');
  const runs = [27, 28, 29, 30].map((day) => ({
    ...own,
    run: `2026-01-${day}T10-00-00-42`,
    startedAt: `2026-01-${day}T10:00:00.000Z`,
    folder: `2026-01-${day}-100000-aaaaaa`,
    failing: day < 29 ? ['SHR-ERR-001'] : ['WCI-SUB-007'],
  }));
  return { target: targetKey(result), runs };
}

function limits(): RunResult {
  const requests = Array.from({ length: 130 }, (_, index) => ({
    atMs: index * 900,
    admitted: index < 60 || index % 2 === 0,
  }));
  return sampleResult({
    limits: {
      limiters: [
        {
          title: 'Minute limit',
          limit: 60,
          windowMs: 60_000,
          model: 'fixed-window',
          name: 'fixed window of 60 that begins with the first request',
          like: 'express-rate-limit',
          documented: false,
          contradictions: [
            'x61 was admitted with 60 in the last minute',
            'x75 was refused with 12 in the last minute',
          ],
          notTried: ['rolling log, one for each operation: needs successful requests to several operations'],
        },
      ],
      models: [
        { name: 'Minute limit: rolling log of 60', fits: false, contradictions: ['x61 was admitted'] },
      ],
      timelines: [{ title: 'Minute limit, key primary#1', limit: 60, windowMs: 60_000, requests }],
    },
  });
}

function load(): RunResult {
  const sample = sampleResult({ findings: [], openPoints: [], sideEffects: [] });
  return {
    ...sample,
    summary: {
      ...sample.summary,
      verdict: 'inconclusive',
      reasons: ['Thresholds not met: errors<1% (got 20%).'],
      gate: { state: 'not-met', because: ['thresholds not met: errors<1% (got 20%)'] },
    },
    load: sampleLoad(),
  };
}

/** What a target may send to get out of its place. */
const nasty = [
  '</script><script>stolen = 1</script><!--',
  '"><img src=x onerror="stolen = 1">',
  "' autofocus onfocus='stolen = 1",
  '</noscript><iframe srcdoc="<script>stolen = 1</script>">',
  '‮gnp.exe⁦​',
  'x'.repeat(3000),
].join(' ');

function hostile(): Sample {
  const sample = sampleResult();
  const line = exchange('x1', 0, {
    url: `/${nasty}`,
    body: nasty,
    answer: JSON.stringify({ [nasty]: nasty }),
    check: nasty,
  });
  return {
    lines: [line, delivery('c1', 10, nasty)],
    result: {
      ...sample,
      target: { ...sample.target, name: nasty },
      requirements: sample.requirements.map((one) => ({
        ...one,
        title: nasty,
        reason: nasty,
        checks: [nasty],
      })),
      findings: [
        sampleFinding({
          expected: nasty,
          actual: `${nasty}!`,
          message: nasty,
          check: nasty,
          exchanges: ['x1', 'c1', nasty],
        }),
      ],
    },
  };
}
