import { expect, test } from 'vitest';
import { sampleFinding, sampleRequirement } from '../../test/support/sampleResult.ts';
import { findHeldBack, withHeldBack } from './heldBack.ts';
import type { RequirementResult } from './result.ts';

const finding = sampleFinding({ expected: 'booking_id is a number', check: 'wci.status.unknown' });
const violated = new Map([['x601', ['WCI-STS-004']]]);

/** The findings that kept such a row from being judged. */
function heldBackBy(row: Partial<RequirementResult>, of = finding): readonly string[] | undefined {
  const requirements = [sampleRequirement({ verdict: 'inconclusive', ...row })];
  const found = findHeldBack({ requirements, findings: [of] }, (id) => violated.get(id) ?? []);
  return found.get('WCI-STS-001')?.heldBackBy;
}

test('a row waits for a finding whose broken answer it was to build on', () => {
  expect(heldBackBy({ reason: 'no accepted subscribe to build on: x601 answered HTTP 200' })).toEqual([
    finding.fingerprint,
  ]);
  expect(heldBackBy({ reason: 'the record is not listed', evidence: ['x600', 'x601'] })).toHaveLength(1);
});

test('a row waits for the finding of a rule that its reason names, of its own check first', () => {
  const reason = 'its check ended earlier, when it found WCI-STS-004 broken';
  expect(heldBackBy({ reason, checks: ['wci.status.unknown'] })).toEqual([finding.fingerprint]);
  expect(heldBackBy({ reason, checks: ['wci.other'] })).toEqual([finding.fingerprint]);
  expect(heldBackBy({ reason: 'its check ended earlier, when it found WCI-STS-005 broken' })).toBeUndefined();
});

test('no finding is to blame for what other answers left open, for what is judged, or by a header', () => {
  const reason = 'x601 answered HTTP 500';
  expect(heldBackBy({ reason: 'x602 answered HTTP 500' })).toBeUndefined();
  expect(heldBackBy({ reason, verdict: 'pass' })).toBeUndefined();
  expect(heldBackBy({ reason, excused: 'nobody sees it' })).toBeUndefined();
  const header = sampleFinding({ expected: 'the header Content-Type application/json' });
  expect(heldBackBy({ reason }, header)).toBeUndefined();
});

test('a row waits for the finding of a refusal that its reason tells of, text and all', () => {
  const actual = 'HTTP 400 VALIDATION_ERROR (callbackUrl must be publicly reachable.)';
  const refusal = sampleFinding({ actual });
  const reason = `x7: no callback was registered, ${actual}`;
  expect(heldBackBy({ reason }, refusal)).toEqual([refusal.fingerprint]);
  expect(
    heldBackBy({ reason: 'x7: no callback was registered, HTTP 400 VALIDATION_ERROR (fid)' }, refusal),
  ).toBeUndefined();
});

test.for([
  [true, 'inconclusive', true],
  [false, 'inconclusive', false],
  [true, 'skipped', false],
] as const)(
  'where a finding is known (%s), what it kept %s is known: %s',
  ([baselined, verdict, isKnown]) => {
    const reason = 'its check ended earlier, when it found WCI-STS-004 broken';
    const { requirements } = withHeldBack(
      { requirements: [sampleRequirement({ verdict, reason })], findings: [{ ...finding, baselined }] },
      () => [],
    );
    expect(requirements[0]).toMatchObject({ heldBackBy: [finding.fingerprint], baselined: isKnown });
  },
);
