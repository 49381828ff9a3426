import { expect, test } from 'vitest';
import { finding, groups } from '../../test/support/causeGroups.ts';

test('callbacks that carry one foreign fid have one cause', () => {
  const got = (requirement: string, fid: string) =>
    finding(requirement, {
      ...{ code: 'altered', check: `c.${requirement}`, exchanges: [`c ${requirement} ${fid}`] },
      ...{ expected: 'a fid for each leg', actual: `fid "${fid}" for both` },
    });
  expect(groups([got('FLA-CB-006', '00gatecheck-1'), got('FLA-CB-023', '00gatecheck-1')])).toHaveLength(1);
  expect(groups([got('FLA-CB-006', '00gatecheck-1'), got('FLA-CB-023', '00gatecheck-2')])).toHaveLength(2);
});

test('one rule broken in missing_info and in the sub_status that follows from it has one cause', () => {
  const read = (requirement: string, check: string, expected: string, actual: string) =>
    finding(requirement, { check, exchanges: [`x ${check}`], code: check, expected, actual });
  const missing = read('WCI-SCP-006', 'c.1', 'missing_info []', 'missing_info ["passport"]');
  const status = ['sub_status "COMPLETE_INFO"', 'sub_status "MISSING_INFO"'] as const;
  expect(groups([missing, read('WCI-SCP-006', 'c.2', ...status)])).toHaveLength(1);
  expect(groups([missing, read('WCI-UPD-027', 'c.2', ...status)])).toHaveLength(2);
});

test('multipart requests that pass without a valid key have one cause, whatever they do', () => {
  const open = (requirement: string, body: string) =>
    finding(requirement, {
      ...{ check: `c.${requirement}`, expected: 'HTTP 401', actual: `HTTP 200 of ${requirement}` },
      case: { whole: false, steps: [{ body }] },
    });
  const form = '--b1\r\nContent-Disposition: form-data; name="pnr"\r\n\r\nABC123\r\n--b1--';
  expect(groups([open('SHR-AUT-003', form), open('WCI-MP-017', form)])).toHaveLength(1);
  expect(groups([open('SHR-AUT-003', '{"pnr":"ABC123"}'), open('WCI-MP-017', form)])).toHaveLength(2);
});

test('a callback that a later subscribe drops explains why none is pushed afterwards', () => {
  const silent = finding('FLA-CB-019', {
    check: 'c.kept',
    code: 'silence',
    actual: 'none',
    exchanges: ['x9'],
  });
  const dropped = finding('FLA-SUB-012', { check: 'c.conflicts', expected: 'HTTP 409', exchanges: ['x3'] });
  expect(groups([silent, dropped])).toHaveLength(1);
});
