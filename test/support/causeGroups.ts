import { fingerprintOf, type Finding } from '../../src/engine/findings/finding.ts';
import { causesOf } from '../../src/report/causes.ts';
import { inData, sampleFinding, sampleRequirement } from './sampleResult.ts';

/** A finding of this requirement, by a check of its own unless one is given. */
export function finding(requirement: string, given: Partial<Finding> = {}): Finding {
  const { check = 'wci.some', code = 'status' } = given;
  // Without the data of its sentences, which tests may still change.
  const {
    at: _at,
    want: _want,
    got: _got,
    because: _because,
    ...plain
  } = sampleFinding({
    fingerprint: fingerprintOf(requirement, check, code, JSON.stringify(given)),
    requirement,
    check,
    code,
    expected: `what ${requirement} says`,
    actual: 'HTTP 200',
    exchanges: [`x-${requirement}-${check}`],
    case: { whole: false },
    ...given,
  });
  return { ...plain, ...given };
}

/** With the data that its sentences say, unless the test gives other data. */
function complete({ at, want, got, ...finding }: Finding): Finding {
  return { ...inData(finding), ...(at && { at }), ...(want && { want }), ...(got && { got }) };
}

const ids = ['WCI-SUB-007', 'WCI-STS-017', 'WCI-UPD-026', 'WCI-UPD-027', 'FLA-CB-006'];
export const rows = ids.map((id) => sampleRequirement({ id, verdict: 'fail', reason: 'broken' }));

/** The requirements of each group, the lead first. */
export function groups(findings: Finding[], requirements = rows): string[][] {
  return causesOf({ findings: findings.map(complete), requirements }).map(({ lead, others }) =>
    [lead, ...others].map(({ requirement }) => requirement),
  );
}
