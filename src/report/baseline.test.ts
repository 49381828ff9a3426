import { describe, expect, it, test } from 'vitest';
import { sampleFinding, sampleRequirement } from '../../test/support/sampleResult.ts';
import { applyBaseline, readBaseline, parseBaseline, renderBaseline, renewBaseline } from './baseline.ts';
import { fingerprintOf, fingerprintPattern, requirementOf } from '../engine/findings/finding.ts';

const fingerprint = fingerprintOf('WCI-STS-004', 'wci.status.unknown', 'status-code');
const entry = { fingerprint, reason: 'fixed in the next release', date: '2026-01-31' };

describe('a fingerprint', () => {
  it('names its requirement and depends on the check and the kind of violation only', () => {
    expect(fingerprint).toBe('WCI-STS-004.997d5a67');
    expect(fingerprint).toMatch(fingerprintPattern);
    expect(requirementOf(fingerprint)).toBe('WCI-STS-004');
    expect(fingerprintOf('WCI-STS-004', 'wci.status.unknown', 'body')).not.toBe(fingerprint);
  });
});

describe('parsing a baseline', () => {
  it('reads YAML, with unquoted dates, and JSON', () => {
    const yaml = `- fingerprint: ${fingerprint}\n  reason: fixed in the next release\n  date: 2026-01-31\n`;
    expect(parseBaseline(yaml, 'known.yaml')).toEqual([entry]);
    expect(parseBaseline(JSON.stringify([entry]), 'known.json')).toEqual([entry]);
  });

  it('takes an empty file for an empty baseline', () => {
    expect(parseBaseline('# nothing known\n', 'known.yaml')).toEqual([]);
  });

  test.for<[string, unknown, RegExp]>([
    ['is no list', { known: [] }, /a list of \{fingerprint, reason, date\}/],
    ['lacks a reason', [{ fingerprint, date: '2026-01-31' }], /entry 1, reason: expected a reason/],
    ['has an empty reason', [{ ...entry, reason: ' ' }], /entry 1, reason: expected a reason/],
    ['has an impossible date', [entry, { ...entry, date: '2026-02-30' }], /entry 2, date: expected a date/],
    ['has a member that nobody knows', [{ ...entry, until: '2027' }], /entry 1: .*"until"/],
    ['names no fingerprint', [{ ...entry, fingerprint: 'WCI-STS-004' }], /expected a fingerprint such as/],
    ['names a fingerprint twice', [entry, entry], /it contains WCI-STS-004\.997d5a67 twice/],
  ])('refuses one that %s, with exit code 2', ([, content, message]) => {
    expect(() => parseBaseline(JSON.stringify(content), 'known.json')).toThrow(
      expect.objectContaining({
        code: 'BASELINE',
        exitCode: 2,
        message: expect.stringMatching(message) as string,
      }),
    );
  });

  it('refuses what is no YAML and a file that is not there, with exit code 2', async () => {
    const refusal = expect.objectContaining({ code: 'BASELINE', exitCode: 2 }) as unknown;
    expect(() => parseBaseline('[', 'known.yaml')).toThrow(refusal);
    // One line, although YAML shows the text around the place.
    expect(() => parseBaseline('x: [\n', 'known.yaml')).toThrow(
      /^Expected the baseline [^\n]* at line 2, column 1\.[^\n]*$/,
    );
    await expect(readBaseline('/nowhere/known.yaml')).rejects.toEqual(refusal);
  });
});

describe('applying a baseline', () => {
  const failing = sampleRequirement({ id: 'WCI-STS-004', verdict: 'fail' });
  const other = fingerprintOf('WCI-STS-004', 'wci.status.unknown', 'body');

  it('marks a known finding, and its requirement where it has no other', () => {
    const outcome = applyBaseline([entry], [sampleFinding()], [failing]);
    expect(outcome.findings.map(({ baselined }) => baselined)).toEqual([true]);
    expect(outcome.requirements.map(({ baselined }) => baselined)).toEqual([true]);
    expect(outcome.stale).toEqual([]);
  });

  it('leaves a requirement failing that has a new finding beside the known one', () => {
    const outcome = applyBaseline(
      [entry],
      [sampleFinding(), sampleFinding({ fingerprint: other })],
      [failing],
    );
    expect(outcome.findings.map(({ baselined }) => baselined)).toEqual([true, false]);
    expect(outcome.requirements.map(({ baselined }) => baselined)).toEqual([false]);
  });

  it('leaves a failing requirement alone that has no finding', () => {
    expect(applyBaseline([entry], [], [failing]).requirements[0]?.baselined).toBe(false);
  });

  test.for([
    ['pass', true],
    ['fail', false],
    ['warn', false],
    ['observed', false],
    ['skipped', false],
    ['inconclusive', false],
  ] as const)('an entry whose requirement ended with %s is stale: %s', ([verdict, stale]) => {
    const row = sampleRequirement({ id: 'WCI-STS-004', verdict, judgedBy: { 'wci.status.own': 3 } });
    expect(applyBaseline([entry], [], [row]).stale).toEqual(stale ? [fingerprint] : []);
  });

  const found = { ...entry, foundBy: { [fingerprint]: { check: 'wci.status.unknown', samples: 20 } } };
  const passedBy = (judgedBy: Record<string, number>) =>
    sampleRequirement({ id: 'WCI-STS-004', checks: ['wci.status.own', 'wci.status.unknown'], judgedBy });

  test.for([
    ['that ran', found, { 'wci.status.unknown': 19 }, true],
    ['that ran for a part of its cases', found, { 'wci.status.own': 50, 'wci.status.unknown': 10 }, false],
    ['that did not run', found, { 'wci.status.own': 50 }, false],
    ['that nobody noted, and all ran', entry, { 'wci.status.own': 1, 'wci.status.unknown': 1 }, true],
    ['that nobody noted, and one did not run', entry, { 'wci.status.own': 50 }, false],
  ] as const)('an entry of a check %s', ([, one, judgedBy, isStale]) => {
    const { stale, unseen } = applyBaseline([one], [], [passedBy(judgedBy)]);
    expect({ stale, unseen }).toEqual(
      isStale ? { stale: [fingerprint], unseen: [] } : { stale: [], unseen: [fingerprint] },
    );
  });

  it('leaves an entry alone whose requirement does not apply to this run', () => {
    expect(applyBaseline([entry], [], [sampleRequirement()]).stale).toEqual([]);
  });
});

describe('renewing a baseline', () => {
  const added = { reason: 'new', date: '2026-02-01' };
  const other = fingerprintOf('WCI-LST-001', 'wci.list', 'body');
  const requirements = (verdict: 'fail' | 'pass' | 'skipped') => [
    sampleRequirement({ id: 'WCI-STS-004', verdict, judgedBy: { 'wci.status.own': 3 } }),
    sampleRequirement({ id: 'WCI-LST-001', verdict: 'fail' }),
  ];
  const elsewhere = { requirement: 'WCI-LST-001', check: 'wci.list', fingerprint: other };
  const findings = [sampleFinding(), sampleFinding(elsewhere), sampleFinding(elsewhere)];

  it('keeps what stands there as it is, and adds each new failure once', () => {
    const renewed = renewBaseline([entry], { findings, requirements: requirements('fail') }, added);
    expect(renewed).toEqual([entry, { fingerprint: other, ...added }]);
  });

  it('adds nothing without a reason', () => {
    expect(renewBaseline([entry], { findings, requirements: requirements('fail') }, null)).toEqual([entry]);
  });

  it('leaves out what passed, and keeps what was not judged', () => {
    const nothing = { findings: [], requirements: requirements('pass') };
    expect(renewBaseline([entry], nothing, added)).toEqual([]);
    expect(renewBaseline([entry], nothing, null)).toEqual([]);
    expect(renewBaseline([entry], { ...nothing, requirements: requirements('skipped') }, added)).toEqual([
      entry,
    ]);
  });

  const also = fingerprintOf('WCI-STS-004', 'wci.status.unknown', 'body');
  const ofOneCause = [sampleFinding(), sampleFinding({ fingerprint: also })];

  it('makes one entry of the failures of a cause', () => {
    const renewed = renewBaseline([], { findings: ofOneCause, requirements: requirements('fail') }, added);
    expect(renewed).toHaveLength(1);
    expect(renewed).toMatchObject([added]);
    expect(renewed.flatMap((one) => [one.fingerprint, ...(one.also ?? [])]).sort()).toEqual(
      [fingerprint, also].sort(),
    );
  });

  it('lets a new failure of a known cause join its entry, whose reason and date stay', () => {
    const renewed = renewBaseline(
      [entry],
      { findings: ofOneCause, requirements: requirements('fail') },
      added,
    );
    expect(renewed).toEqual([{ ...entry, also: [also] }]);
  });

  it('takes out of an entry what passed, and keeps the rest of it', () => {
    const known = [{ ...entry, also: [other] }];
    const passed = { findings: [sampleFinding({ fingerprint: other })], requirements: requirements('pass') };
    expect(applyBaseline(known, passed.findings, passed.requirements).stale).toEqual([fingerprint]);
    expect(renewBaseline(known, passed, added)).toEqual([{ ...entry, fingerprint: other }]);
  });

  it.each(['known.json', 'known.yaml'])('%s is read back as it was', (path) => {
    expect(parseBaseline(renderBaseline([{ ...entry, also: [other] }], path), path)).toEqual([
      { ...entry, also: [other] },
    ]);
  });
});
