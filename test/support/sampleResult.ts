import { fingerprintOf, type Finding } from '../../src/engine/findings/finding.ts';
import { spoken } from './spoken.ts';
import type { RequirementResult, RunResult } from '../../src/report/result.ts';

/** One requirement row; a must that passed unless told otherwise. */
export function sampleRequirement(overrides: Partial<RequirementResult> = {}): RequirementResult {
  return {
    id: 'WCI-STS-001',
    title: 'Status by checkin_id answers 200 for an own record.',
    level: 'must',
    source: [{ document: 'web-check-in', section: 'GET /extPartner/api/webcheckin/status' }],
    verdict: 'pass',
    checks: ['wci.status.own'],
    samples: 3,
    baselined: false,
    reason: null,
    api: 'webcheckin',
    ...overrides,
  };
}

/** A finding of the failing requirement of `sampleResult`. */
export function sampleFinding(overrides: Partial<Finding> = {}): Finding {
  const finding = plainFinding(overrides);
  return overrides.at === undefined ? inData(finding) : finding;
}

/** The same finding with the data that its two sentences say. */
export function inData(finding: Finding): Finding {
  const { at, want, got, because = [] } = spoken(finding.code ?? '', finding.expected, finding.actual);
  const reasons = because.map(({ id }) => ({ exchange: id, text: '' }));
  return { ...finding, at, because: reasons, ...(JSON.parse(JSON.stringify({ want, got })) as Finding) };
}

function plainFinding(overrides: Partial<Finding>): Finding {
  const fingerprint = fingerprintOf('WCI-STS-004', 'wci.status.unknown', 'status-code');
  return {
    fingerprint,
    requirement: 'WCI-STS-004',
    check: 'wci.status.unknown',
    confirmed: '2 of 2',
    message: 'An unknown checkin_id was answered with 400',
    expected: '404 with error NOT_FOUND',
    actual: '400 with error VALIDATION_ERROR',
    counterexample: 'GET /extPartner/api/webcheckin/status?checkin_id=wci_000000000001',
    reproduce: {
      seed: 42,
      path: '0:1:0',
      command: `gatecheck replay ${fingerprint}`,
      curl: `curl -H "X-API-Key: $GATECHECK_KEYS_PRIMARY" 'https://qa.example/extPartner/api/webcheckin/status?checkin_id=wci_000000000001'`,
    },
    exchanges: ['x17', 'x18'],
    code: 'status-code',
    level: 'must',
    severity: 'fail',
    ...overrides,
  };
}

/** A small result with one of everything. */
export function sampleResult(overrides: Partial<RunResult> = {}): RunResult {
  return {
    schemaVersion: 1,
    tool: { name: 'gatecheck', version: '0.1.0', catalogue: '1' },
    run: {
      id: '2026-01-31T10-00-00-42',
      startedAt: '2026-01-31T10:00:00.000Z',
      durationMs: 132_000,
      profile: 'standard',
      seed: 42,
      shard: null,
      command: 'gatecheck run --target https://qa.example',
      end: 'completed',
    },
    target: {
      kind: 'url',
      baseUrl: 'https://qa.example',
      baseUrls: { webcheckin: 'https://qa.example', 'flight-alerts': 'https://qa.example' },
      apis: ['webcheckin', 'flight-alerts'],
      capabilities: ['second-key'],
    },
    summary: {
      verdict: 'nonconformant',
      coverage: {
        must: { judged: 2, total: 6, excused: 1, notApplicable: 1 },
        should: { judged: 1, total: 1 },
      },
      passed: 1,
      failed: 1,
      warned: 1,
      observed: 1,
      notApplicable: 1,
      skipped: 2,
      inconclusive: 1,
      requests: 312,
      callbacks: 14,
      quotaUnits: 9,
      throttled: 0,
      exitCode: 1,
      gate: { state: 'not-met', because: ['1 requirement failed'] },
      reasons: ['1 requirement failed.'],
    },
    requirements: sampleRequirements,
    openPoints: [
      {
        id: 'WCI-OPN-001',
        title: 'Which airline-code length is enforced',
        observed: 'two-characters',
        pinned: null,
        variants: [{ name: 'two-characters', title: 'two alphanumeric characters' }],
      },
      { id: 'WCI-OPN-002', title: 'Whether row_preference back is accepted', observed: null, pinned: null },
    ],
    findings: [sampleFinding()],
    sideEffects: [
      {
        kind: 'checkin',
        certainty: 'certain',
        id: 'wci_8Zk2',
        key: 'primary#1',
        createdAt: '2026-01-31T10:00:03.120Z',
        exchange: 'x3',
      },
    ],
    ...overrides,
  };
}

const sampleRequirements: RequirementResult[] = [
  sampleRequirement(),
  sampleRequirement({
    id: 'WCI-STS-004',
    title: 'Status of an unknown checkin_id is 404 NOT_FOUND.',
    verdict: 'fail',
    advice: {
      why: 'Partners poll the status to learn what to do next.',
      look: 'What turns the stored attempt into an answer.',
    },
    checks: ['wci.status.unknown'],
    reason: 'An unknown checkin_id was answered with 400',
  }),
  sampleRequirement({
    id: 'SHR-AUT-003',
    title: 'A revoked key is answered with 401.',
    source: [{ document: 'web-check-in', section: 'Authentication' }],
    verdict: 'skipped',
    checks: ['auth.revoked'],
    samples: 0,
    reason: 'needs revoked-key: set GATECHECK_KEY_REVOKED',
    api: 'shared',
  }),
  sampleRequirement({
    id: 'SHR-AUT-009',
    title: 'The key is kept private.',
    source: [{ document: 'web-check-in', section: 'Authentication' }],
    verdict: 'skipped',
    checks: [],
    samples: 0,
    reason: 'cannot be observed from outside',
    api: 'shared',
    excused: 'cannot be observed from outside',
  }),
  sampleRequirement({
    id: 'WCI-SUB-010',
    title: 'reason is present when message is REJECTED.',
    verdict: 'not-applicable',
    checks: ['wci.passive.subscribe-answer'],
    samples: 0,
    reason: 'applies only if a subscribe is answered 200 with message REJECTED',
  }),
  sampleRequirement({
    id: 'FLA-LKP-010',
    title: 'The snapshot order is by airport codes.',
    level: 'should',
    source: [{ document: 'flight-alerts', section: 'GET /extPartner/api/flight-alerts' }],
    verdict: 'warn',
    checks: ['fla.lookup.order'],
    reason: 'Legs stand in journey order',
    api: 'flight-alerts',
  }),
  sampleRequirement({
    id: 'FLA-CB-001',
    title: 'A change is delivered to the callbackUrl.',
    source: [{ document: 'flight-alerts', section: 'Events' }],
    verdict: 'inconclusive',
    checks: ['fla.callback.delivered'],
    samples: 0,
    reason: 'the sink was not reachable from the target',
    api: 'flight-alerts',
  }),
  sampleRequirement({
    id: 'WCI-OPN-001',
    title: 'Which airline-code length is enforced',
    level: 'open',
    source: [{ document: 'web-check-in', section: 'Flight (leg)' }],
    verdict: 'observed',
    checks: ['wci.dialect.airline'],
    reason: 'two alphanumeric characters',
  }),
];
