import { describe, expect, test } from 'vitest';
import { finding, groups, rows } from '../../test/support/causeGroups.ts';
import { causesOf } from './causes.ts';

describe('findings of checks and cases share a cause', () => {
  test('where checks find one requirement broken in one way; the one with fewer steps is read first', () => {
    const long = finding('WCI-UPD-026', { check: 'wci.multipart.update', exchanges: ['x1', 'x2', 'x3'] });
    const short = finding('WCI-UPD-026', { check: 'wci.update.replaces', exchanges: ['x7'] });
    const [cause] = causesOf({ findings: [long, short], requirements: rows });
    expect([cause?.lead.check, cause?.broken]).toEqual(['wci.update.replaces', ['WCI-UPD-026']]);
  });

  test('where two answers disagree on one member, whichever of them a check takes for right', () => {
    const [full, empty] = ['missing_info ["passport"]', 'missing_info []'];
    const one = finding('WCI-STS-017', { expected: full, actual: empty });
    const other = finding('WCI-UPD-026', { check: 'wci.list', expected: empty, actual: full });
    expect(groups([one, other])).toHaveLength(1);
  });

  test('where cases of one name are answered alike by one operation, the ordinary body before the multipart one', () => {
    const steps = [{ operation: 'wci.update' }];
    const named = (requirement: string, caseName: string, exchanges: string[]) =>
      finding(requirement, {
        ...{ check: `c.${requirement}`, exchanges, expected: 'HTTP 404 NOT_FOUND' },
        case: { whole: false, caseName, steps },
      });
    const multipart = named('WCI-MP-019', 'webcheckin_id', ['x1']);
    const json = named('WCI-UPD-026', 'webcheckin_id', ['x5', 'x6']);
    expect(groups([multipart, json])).toEqual([['WCI-UPD-026', 'WCI-MP-019']]);
    expect(groups([multipart, named('WCI-UPD-026', 'booking_id', ['x5'])])).toHaveLength(2);
  });

  test('where the deciding answer of a case is one of the few that break the rule of an oracle', () => {
    const oracle = (confirmed: string) =>
      finding('WCI-UPD-027', { confirmed, case: { whole: true }, exchanges: ['x1'], check: 'wci.passive' });
    const one = finding('WCI-STS-017', { alsoBreaks: ['WCI-UPD-027'] });
    expect(groups([one, oracle('20 of 1675')])).toHaveLength(1);
    expect(groups([one, oracle('1600 of 1675')])).toHaveLength(2);
  });

  test('where a must was broken once in a check that broke another one each time', () => {
    const sure = finding('WCI-UPD-026', { check: 'wci.scoping.update' });
    const once = finding('WCI-UPD-027', {
      ...{ check: 'wci.scoping.update', severity: 'warn', level: 'must', actual: 'sub_status is "X"' },
      exchanges: ['x77'],
    });
    expect(groups([sure, once])).toEqual([['WCI-UPD-026', 'WCI-UPD-027']]);
    expect(groups([{ ...sure, check: 'wci.other' }, once])).toHaveLength(2);
  });

  test('where one case broke several requirements', () => {
    const exchanges = ['x4', 'x5'];
    const findings = [
      finding('WCI-UPD-026', { exchanges }),
      finding('WCI-UPD-027', { exchanges, code: 'other' }),
    ];
    expect(groups(findings)).toHaveLength(1);
  });

  test('where one member has values of one wrong form, or one refusal comes for different answers', () => {
    const times = [
      finding('WCI-SUB-007', {
        expected: '[0].departure.time is local',
        actual: '[0].departure.time is "2027-01-02T09:25"',
      }),
      finding('WCI-STS-017', {
        expected: 'departure.time "2027-01-02 09:25", as upstream has it',
        actual: 'departure.time "2026-11-30T08:00"',
      }),
    ];
    expect(groups(times)).toHaveLength(1);
    const actual = 'HTTP 403 FORBIDDEN (not yours)';
    const refused = [
      finding('WCI-SUB-007', { expected: 'HTTP 404', actual }),
      finding('WCI-UPD-026', { expected: 'one of HTTP 200, 404', actual }),
    ];
    expect(groups(refused)).toHaveLength(1);
  });

  test('but not where one answer shows oracles two mistakes, nor where two rules expect one status', () => {
    const passive = { exchanges: ['x4'], case: { whole: true } };
    const twoOfAnAnswer = [finding('WCI-SUB-007', passive), finding('WCI-STS-017', passive)];
    expect(groups(twoOfAnAnswer)).toHaveLength(2);
    const refusals = { expected: 'HTTP 400', actual: 'HTTP 200' };
    expect(groups([finding('WCI-SUB-007', refusals), finding('WCI-STS-017', refusals)])).toHaveLength(2);
  });

  test('where one answer ought to have been a refusal, and where requests have one wrong member', () => {
    const accepted = { expected: 'HTTP 400 VALIDATION_ERROR', actual: 'HTTP 200' };
    const passive = {
      expected: 'a refusal of payload.pnr absent',
      actual: 'HTTP 200',
      case: { whole: true },
    };
    const all = [
      finding('WCI-UPD-026', { ...accepted, exchanges: ['x4'], check: 'a' }),
      finding('WCI-SUB-007', { ...passive, exchanges: ['x4'] }),
      finding('WCI-UPD-027', { ...passive, expected: 'a refusal of payload.pnr 7', exchanges: ['x5'] }),
    ];
    expect(groups(all)).toHaveLength(1);
    const leak = {
      expected: 'no data of another enterprise',
      actual: 'wci_1 of other',
      case: { whole: true },
    };
    expect(groups([finding('WCI-UPD-026', { ...leak }), finding('WCI-SUB-007', leak)])).toHaveLength(2);
  });

  test('and where a member of the wrong form makes a whole body wrong', () => {
    const body = { expected: 'a standard error', actual: '{"success":"false","error":"RATE_LIMITED"}' };
    const all = [
      finding('SHR-ERR-002', { expected: 'success is false', actual: 'success is "false"' }),
      finding('SHR-LIM-022', body),
      finding('WCI-UPD-038', { ...body, actual: '{"success":true}' }),
    ];
    expect(groups(all)).toHaveLength(2);
  });

  test('and what did not show again stays apart from what did', () => {
    const doubtful = finding('WCI-UPD-026', { severity: 'warn', check: 'wci.other' });
    expect(groups([doubtful, finding('WCI-UPD-026')])).toEqual([['WCI-UPD-026'], ['WCI-UPD-026']]);
  });
});
