import { expect, test } from 'vitest';
import { sampleFinding } from '../../../test/support/sampleResult.ts';
import type { Verdict } from '../../judge/kernel/verdict.ts';
import type { CheckOutcome } from '../findings/outcome.ts';
import { outageWithdrawal, withdraw } from './withdrawal.ts';

const fails = { status: 'fail', samples: 1, reason: 'HTTP 500' } as const;
const finding = (requirement: string, decisive: string) => sampleFinding({ requirement, decisive });
const outcome: CheckOutcome = {
  ...{ check: 'wci.some', title: 'some', requests: 3, verdict: fails },
  verdicts: new Map<string, Verdict>([
    ['WCI-STS-001', fails],
    ['WCI-STS-002', fails],
    ['WCI-STS-003', { status: 'pass', samples: 1, reason: null }],
  ]),
  findings: [finding('WCI-STS-001', 'x9'), finding('WCI-STS-002', 'x9'), finding('WCI-STS-002', 'x1')],
};

test('what an outage decided is undecided; what was broken before it, and what passed, stays', () => {
  const [rest] = withdraw([outcome], outageWithdrawal(new Set(['x9']), 'not well'));
  expect(rest?.findings.map(({ decisive, severity }) => [decisive, severity])).toEqual([
    ['x1', 'fail'],
    ['x9', 'inconclusive'],
    ['x9', 'inconclusive'],
  ]);
  expect(rest?.verdicts.get('WCI-STS-001')).toMatchObject({
    reason: expect.stringMatching(/^not well; seen before: An unknown checkin_id was/) as string,
    evidence: ['x17', 'x18'],
  });
  expect([...(rest?.verdicts ?? [])].map(([id, { status }]) => `${id} ${status}`)).toEqual([
    ...['WCI-STS-001 inconclusive', 'WCI-STS-002 fail', 'WCI-STS-003 pass'],
  ]);
  expect(rest?.verdict.status).toBe('fail');
});

test('an outcome that it did not touch does not change', () => {
  expect(withdraw([outcome], outageWithdrawal(new Set(['x7']), 'not well'))).toEqual([]);
});
