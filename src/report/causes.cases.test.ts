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

  test('and what did not show again stays apart from what did, unless it misses the same', () => {
    const missing = (text: string, given: Parameters<typeof finding>[1] = {}) =>
      finding('WCI-UPD-026', { at: 'answer', want: { kind: 'text', text }, ...given });
    const doubtful = (text: string) => missing(text, { severity: 'warn', check: 'wci.other' });
    expect(groups([doubtful('phone null'), missing('email null')])).toHaveLength(2);
    expect(groups([doubtful('email null'), missing('email null')])).toHaveLength(1);
  });

  test('where one follows from the other: each pair is one cause, and two without it', () => {
    const at = (requirement: string, given: Parameters<typeof finding>[1]) =>
      finding(requirement, { check: `c.${requirement}`, exchanges: [`x ${requirement}`], ...given });
    const missing = { code: 'missing-info' };
    const pairs = [
      [
        at('FLA-GET-013', { actual: 'HTTP 404 FLIGHT_NOT_FOUND' }),
        at('FLA-GET-015', { actual: 'HTTP 400 VALIDATION_ERROR' }),
      ],
      [at('FLA-CB-020', { code: 'empty' }), at('FLA-CB-008', { code: 'polled' })],
      [at('WCI-STS-011', { code: 'passes' }), at('WCI-CB-020', { code: 'boarding_passes' })],
      [at('WCI-UPD-005', { code: 'record' }), at('WCI-SCP-011', { actual: 'HTTP 200' })],
      [
        at('WCI-UPD-027', { ...missing, expected: 'missing_info ["email"]', actual: 'missing_info []' }),
        at('WCI-UPD-026', { ...missing, expected: 'missing_info []', actual: 'missing_info ["passport"]' }),
      ],
      [
        at('WCI-CB-004', { check: 'wci.passive.webhook-request', code: 'record' }),
        at('WCI-CB-014', { actual: 'one of wci_1' }),
      ],
      [at('FLA-SUB-011', { code: 'answer' }), at('FLA-SUB-011', { code: 'address', check: 'c.other' })],
    ];
    for (const pair of pairs) expect(groups(pair)).toHaveLength(1);
    for (const pair of pairs) expect(groups([...pair.slice(1), at('WCI-LST-003', {})])).toHaveLength(2);
  });

  test('where valid requests are refused with one sentence that says more than that something is missing', () => {
    const refused = (requirement: string, text: string) =>
      finding(requirement, {
        ...{ check: `c.${requirement}`, exchanges: [`x ${requirement}`], expected: 'HTTP 200' },
        actual: `HTTP 400 VALIDATION_ERROR (${text})`,
      });
    const pair = (one: string, other = one) =>
      groups([refused('WCI-UPD-010', one), refused('WCI-MP-012', other)]);
    expect(pair('passengers belongs into payload.')).toHaveLength(1);
    expect(
      pair('passengers[0].email must not be null.', 'passengers[1].email must not be null.'),
    ).toHaveLength(1);
    expect(pair('one of the passengers is missing.')).toHaveLength(2);
    expect(pair('the body must have flights.')).toHaveLength(2);
    expect(pair('pnr is not a record locator.')).toHaveLength(2);
  });

  test('where one callback has what belongs to another registration', () => {
    const about = (requirement: string, code: string, exchange: string) =>
      finding(requirement, { code, check: `c.${requirement}`, exchanges: [exchange], case: { whole: true } });
    const strange = about('FLA-CB-021', 'fid', 'c7');
    expect(groups([strange, about('FLA-CB-003', 'value', 'c7')])).toHaveLength(1);
    expect(groups([strange, about('FLA-CB-003', 'value', 'c8')])).toHaveLength(2);
    expect(groups([strange, about('FLA-CB-005', 'form', 'c7')])).toHaveLength(2);
  });

  test('where timestamps of different members have one wrong form, or 502s one code of their own', () => {
    const time = (requirement: string, member: string, value: string) =>
      finding(requirement, {
        ...{ check: `c.${requirement}`, exchanges: [`x ${requirement}`] },
        expected: `${member} has the form YYYY-MM-DDTHH:mm:ss.sssZ`,
        actual: `${member} "${value}"`,
      });
    const short = time('WCI-DT-026', 'created_at', '2026-07-15T09:36:43Z');
    expect(groups([short, time('WCI-DT-027', 'occurredAt', '2026-08-16T10:00:00Z')])).toHaveLength(1);
    expect(groups([short, time('WCI-DT-027', 'occurredAt', '2026-08-16 10:00:00')])).toHaveLength(2);
    const down = (requirement: string, code: string, due = requirement === 'FLA-SUB-025' ? 'S_F' : 'P_U') =>
      finding(requirement, {
        ...{ check: `c.${requirement}`, exchanges: [`x ${requirement}`], expected: `HTTP 502 ${due}` },
        actual: `HTTP 502 ${code} (of ${requirement})`,
      });
    expect(groups([down('FLA-GET-032', 'DOWN'), down('FLA-SUB-025', 'DOWN')])).toHaveLength(1);
    expect(groups([down('FLA-GET-032', 'DOWN'), down('FLA-SUB-025', 'BAD')])).toHaveLength(2);
  });
});
