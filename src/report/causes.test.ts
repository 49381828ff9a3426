import { describe, expect, test } from 'vitest';
import { finding, groups, rows } from '../../test/support/causeGroups.ts';
import { sampleFinding, sampleRequirement } from '../../test/support/sampleResult.ts';
import { causeByFingerprint, causesOf } from './causes.ts';
import { memberNamedBy } from './member.ts';

describe('findings share a cause', () => {
  test('where the same member is wrong in the same way, whatever its value', () => {
    const passive = { expected: 'booking_id is a number', case: { whole: true } };
    const one = finding('WCI-SUB-007', {
      ...passive,
      code: 'shape:booking_id',
      actual: 'booking_id is "230311"',
    });
    const other = finding('WCI-STS-017', { ...passive, code: 'booking_id', actual: 'booking_id is "9"' });
    expect(groups([one, other])).toEqual([['WCI-SUB-007', 'WCI-STS-017']]);
  });

  test('where one requirement meets the same refusal, whatever was expected in its place', () => {
    const asked = finding('WCI-STS-017', {
      ...{ check: 'wci.status.own', code: 'answer', expected: 'HTTP 200' },
      actual: 'HTTP 400 VALIDATION_ERROR (checkin_id is missing)',
    });
    const seen = finding('WCI-STS-017', {
      ...{ check: 'wci.passive.own-records', code: 'own', expected: 'the record to be found' },
      actual: 'HTTP 400 VALIDATION_ERROR (checkin_id is missing), though x7 showed it',
    });
    expect(groups([asked, seen])).toHaveLength(1);
    expect(groups([asked, { ...seen, actual: 'HTTP 500 INTERNAL_ERROR (oops)' }])).toHaveLength(2);
    expect(groups([asked, { ...seen, requirement: 'WCI-SUB-007' }])).toHaveLength(2);
  });

  test('where callbacks are missing and others came to a wrong address, which is read first', () => {
    const silent = finding('WCI-CB-021', {
      ...{ check: 'wci.callbacks.changes', code: 'silent' },
      ...{ expected: 'a callback of "SCHEDULED" → "COMPLETED"', actual: 'none' },
    });
    const astray = finding('WCI-CB-004', {
      ...{ check: 'wci.passive.webhook-request', code: 'record', case: { whole: true } },
      ...{
        expected: 'https://a.example/1',
        actual: 'https://a.example/2, the address that x5 gave for another record',
      },
    });
    expect(groups([silent, astray])).toEqual([['WCI-CB-004', 'WCI-CB-021']]);
    const other = finding('WCI-CB-004', { ...astray, code: 'path' });
    expect(groups([silent, other])).toHaveLength(2);
  });

  test('where a record that should have been refused breaks rules later, which is read after what let it in', () => {
    const letIn = finding('WCI-SUB-007', {
      ...{ check: 'wci.subscribe.refused-lists', expected: 'HTTP 400 VALIDATION_ERROR' },
      actual: 'HTTP 200 message SCHEDULED',
    });
    const passive = { code: 'shape:origin', case: { whole: true }, expected: 'data[1].origin is a string' };
    const later = finding('WCI-STS-017', {
      ...passive,
      ...{ actual: 'data[1].origin is absent', confirmed: '63 of 2509', follows: ['WCI-SUB-007'] },
    });
    expect(groups([later, letIn])).toEqual([['WCI-SUB-007', 'WCI-STS-017']]);
    expect(groups([{ ...later, follows: ['WCI-UPD-026'] }, letIn])).toHaveLength(2);
    // What most answers show is not about a single record.
    expect(groups([{ ...later, confirmed: '2500 of 2509' }, letIn])).toHaveLength(2);
    // Nothing was accepted against this rule: it was refused in another way than it should have been.
    expect(groups([later, { ...letIn, actual: 'HTTP 422 REJECTED' }])).toHaveLength(2);
  });

  test('where requests that the rate limit refused make a record or change one; not where they only take a unit', () => {
    const limits = { check: 'shared.limits.side-effects' };
    const made = finding('SHR-LIM-023', { ...limits, code: 'created', exchanges: ['x1'] });
    const listed = finding('SHR-LIM-023', { check: 'wci.passive.refused-bookings', code: 'listed' });
    const changed = finding('SHR-LIM-028', { ...limits, code: 'changed', exchanges: ['x2'] });
    const spent = finding('SHR-LIM-023', { ...limits, code: 'spent', exchanges: ['x3'] });
    expect(groups([made, listed, changed, spent])).toHaveLength(2);
    expect(groups([made, listed, changed])).toEqual([['SHR-LIM-023', 'SHR-LIM-023', 'SHR-LIM-028']]);
  });

  test('where one page, or one object in place of a value, comes from several operations', () => {
    const page = (requirement: string, text: string, status = 400) =>
      finding(requirement, { actual: `HTTP ${status} with no JSON: "${text}"`, check: `wci.${requirement}` });
    const error = '<pre>SyntaxError: Unexpected token</pre>';
    expect(groups([page('SHR-ERR-012', error), page('SHR-ERR-027', error)])).toHaveLength(1);
    expect(groups([page('SHR-ERR-012', error), page('SHR-ERR-027', 'Bad Request')])).toHaveLength(2);
    expect(groups([page('SHR-ERR-012', error, 500), page('SHR-ERR-027', error, 500)])).toHaveLength(2);
    const odd = (requirement: string, actual: string) =>
      finding(requirement, {
        ...{ actual, check: `fla.${requirement}`, case: { whole: true } },
        expected: `${actual.split(' ')[0] ?? ''} is a number`,
      });
    const sent = odd('FLA-CB-007', 'arrival.utcOffsetSeconds {"seconds":"28800"}');
    expect(groups([sent, odd('FLA-SNP-015', '[0].arrival.utcOffsetSeconds is {"seconds":0}')])).toHaveLength(
      1,
    );
    expect(groups([sent, odd('FLA-SNP-015', '[0].arrival.utcOffsetSeconds is {"hours":8}')])).toHaveLength(2);
  });

  test('where a list shows a member as empty, and where an answer that is no array shows no legs', () => {
    const read = finding('WCI-STS-017', {
      ...{ expected: 'boarding_passes ["https://a"] in the list', actual: '[] in the list' },
    });
    const shown = (member: string) =>
      finding('WCI-UPD-026', {
        ...{ expected: `data[0].${member} is not empty`, actual: `data[0].${member} is []` },
      });
    expect(groups([read, shown('boarding_passes')])).toHaveLength(1);
    expect(groups([read, shown('missing_info')])).toHaveLength(2);
    const array = finding('FLA-CB-006', { requirement: 'FLA-GET-002', code: 'shape', case: { whole: true } });
    const legs = finding('FLA-CB-006', {
      ...{ requirement: 'FLA-GET-005', expected: 'the legs DOH-SIN', actual: 'none', exchanges: ['x9'] },
    });
    expect(groups([array, { ...legs, alsoBreaks: ['FLA-GET-002'] }])).toHaveLength(1);
    expect(groups([array, legs])).toHaveLength(2);
  });

  test('where one member within another is asked for in two cases; a body that is not read may have two causes', () => {
    const asking = (requirement: string, text: string) =>
      finding(requirement, { actual: `HTTP 400 VALIDATION_ERROR (${text})`, check: `wci.${requirement}` });
    const email = asking('WCI-SUB-007', 'passengers[0].email is required.');
    expect(groups([email, asking('WCI-UPD-026', 'passengers[1].email is required.')])).toHaveLength(1);
    expect(groups([email, asking('WCI-UPD-026', 'passengers[0].phone is required.')])).toHaveLength(2);
    expect(groups([email, asking('WCI-UPD-026', 'passengers[0].email is malformed.')])).toHaveLength(2);
    const [one, other] = ['WCI-SUB-007', 'WCI-UPD-026'].map((id) => asking(id, 'flights is required.'));
    expect(groups([one, other].filter((given) => given !== undefined))).toHaveLength(2);
  });

  test('where webhooks have other values than they should, and none says a change; where a request is not counted and no limiter fits', () => {
    const wrong = finding('FLA-CB-006', {
      ...{ requirement: 'WCI-CB-013', code: 'completion', expected: 'COMPLETED' },
      actual: '{"status":"IN_PROGRESS"}',
    });
    const untold = finding('FLA-CB-006', {
      ...{ requirement: 'WCI-CB-021', code: 'silent', check: 'wci.callbacks.story' },
      ...{ expected: 'a callback of "SCHEDULED" → "FAILED"', exchanges: ['c1'] },
      at: 'callback',
      got: { kind: 'count', text: '1 of the request', ids: [] },
    });
    expect(groups([untold, wrong])).toEqual([['WCI-CB-013', 'WCI-CB-021']]);
    expect(groups([{ ...untold, got: { kind: 'absent' } }, wrong])).toHaveLength(2);
    const passed = finding('FLA-CB-006', { requirement: 'SHR-LIM-029', actual: 'HTTP 200' });
    const unfit = finding('FLA-CB-006', {
      ...{ requirement: 'SHR-LIM-002', got: { kind: 'count', text: '95 requests', ids: [], model: null } },
      exchanges: ['x1', 'x2', 'x3'],
    });
    expect(groups([unfit, passed])).toEqual([['SHR-LIM-029', 'SHR-LIM-002']]);
    expect(groups([{ ...unfit, got: { kind: 'absent' } }, passed])).toHaveLength(2);
  });

  test('where times are off by as much; missing_info of two areas may have two causes', () => {
    const pushed = finding('FLA-CB-006', {
      got: { kind: 'off', value: '2026-11-26T11:55:30.069Z', minutes: 240 },
    });
    const listed = finding('WCI-STS-017', { actual: 'data[0].created_at is 240 minutes off' });
    expect(groups([pushed, listed])).toHaveLength(1);
    expect(groups([pushed, { ...listed, actual: 'data[0].created_at is 60 minutes off' }])).toHaveLength(2);
    const ready = {
      expected: 'a missing_info that is not empty',
      actual: 'missing_info []',
      code: 'missing-info',
    };
    const update = finding('WCI-UPD-026', ready);
    expect(groups([update, finding('WCI-UPD-027', { ...ready, check: 'b' })])).toHaveLength(1);
    expect(groups([update, finding('WCI-STS-017', { ...ready, check: 'b' })])).toHaveLength(2);
  });

  test('where one member is lost wherever it is shown, and where no callback tells one change', () => {
    const listed = finding('WCI-STS-017', {
      expected: 'data[6].pnr "A", as it was sent',
      actual: 'data[6].pnr null',
    });
    const updated = finding('WCI-UPD-026', {
      expected: 'the pnr as it was',
      actual: 'pnr null',
      code: 'pnr',
    });
    expect(groups([listed, updated])).toHaveLength(1);
    expect(groups([listed, { ...updated, actual: 'gate null' }])).toHaveLength(2);
    const silent = { code: 'silent', actual: 'none', expected: 'a callback of "SCHEDULED" → "FAILED"' };
    const one = finding('WCI-STS-017', silent);
    const other = finding('WCI-UPD-026', { ...silent, check: 'wci.callbacks.after-update' });
    expect(groups([one, other])).toHaveLength(1);
    const completed = 'a callback of "SCHEDULED" → "COMPLETED"';
    expect(groups([one, { ...other, expected: completed }])).toHaveLength(2);
  });

  test('where words stand in small letters, an id is a text, and flights are those of before', () => {
    const listed = finding('WCI-STS-017', {
      expected: 'status "COMPLETED", in the list',
      actual: 'status "completed", in the list',
    });
    const read = finding('WCI-UPD-026', { expected: 'status "FAILED"', actual: 'status "failed"' });
    expect(groups([listed, read])).toHaveLength(1);
    expect(groups([listed, { ...read, actual: 'status "SCHEDULED"' }])).toHaveLength(2);
    const typed = finding('WCI-STS-017', {
      ...{ expected: 'data[0].booking_id is a number', actual: 'data[0].booking_id is "232253"' },
    });
    const told = finding('WCI-UPD-026', { expected: 'booking_id 232249', actual: 'booking_id "232249"' });
    expect(groups([typed, told])).toHaveLength(1);
    const stale = { requirement: 'FLA-GET-035', code: 'passed-on' };
    const old = finding('FLA-CB-006', { requirement: 'FLA-SUB-040', code: 'stale' });
    expect(groups([finding('FLA-CB-006', stale), old])).toHaveLength(1);
  });

  test('where one rule lets two invalid values through, whatever came of them; one refusal whatever stands behind its text', () => {
    const due = { expected: 'HTTP 400 VALIDATION_ERROR', code: 'a' };
    const taken = finding('WCI-SUB-007', { ...due, exchanges: ['x1'] });
    const met = finding('WCI-SUB-007', { ...due, code: 'b', actual: 'HTTP 409 CONFLICT (Another one.)' });
    const refused = finding('WCI-SUB-007', { ...due, code: 'c', actual: 'HTTP 400 BAD_REQUEST' });
    expect(groups([taken, met])).toHaveLength(1);
    expect(groups([taken, refused])).toHaveLength(2);
    const missing = finding('WCI-STS-017', { actual: 'HTTP 404 NOT_FOUND (No such request.)' });
    const seen = finding('WCI-UPD-026', {
      actual: 'HTTP 404 NOT_FOUND (No such request.), though x7 showed it',
    });
    expect(groups([missing, seen])).toHaveLength(1);
  });
});

test('causes stand by what fails, then level, then what they hold back, then the order of the documents', () => {
  const known = finding('WCI-SUB-007', { baselined: true });
  const should = finding('WCI-STS-017', { level: 'should', severity: 'warn' });
  const early = finding('WCI-UPD-026');
  const late = finding('WCI-UPD-027');
  const heavy = finding('FLA-CB-006');
  const waiting = sampleRequirement({
    id: 'FLA-CB-009',
    verdict: 'inconclusive',
    reason: 'nothing came',
    heldBackBy: [heavy.fingerprint],
  });
  const causes = causesOf({
    findings: [known, should, late, early, heavy],
    requirements: [...rows, waiting],
  });
  expect(causes.map(({ lead }) => lead.requirement)).toEqual([
    'FLA-CB-006',
    'WCI-UPD-026',
    'WCI-UPD-027',
    'WCI-STS-017',
    'WCI-SUB-007',
  ]);
  expect(causes[0]?.heldBack).toEqual(['FLA-CB-009']);
  expect(causeByFingerprint(causes).get(late.fingerprint)).toBe(causes[2]);
});

test.each([
  [{ expected: 'booking_id is a number', actual: 'booking_id is "1"' }, 'booking_id'],
  [
    { expected: 'passengers[1].passport.number "A"', actual: 'passengers[1].passport.number null' },
    'passengers[1].passport.number',
  ],
  [{ code: 'shape:quota', expected: 'quota is an object', actual: 'none' }, 'quota'],
  [{ expected: 'HTTP 404', actual: 'HTTP 200' }, null],
  [{ expected: 'a list', actual: 'nothing' }, null],
])('%o is about the member %s', (given, member) => {
  expect(memberNamedBy(sampleFinding(given))).toBe(member);
});
