import { expect, test } from 'vitest';
import { finding, groups } from '../../test/support/causeGroups.ts';

const isArray = finding('WCI-CB-010', {
  ...{ check: 'c.form', exchanges: ['c5'], decisive: 'c5' },
  ...{
    expected: 'changes.boarding_passes as an array of strings',
    actual: 'changes.boarding_passes "https://a"',
  },
});

test('a member of the wrong form explains answers that show it and break the rule about its form', () => {
  const shown = (given: object) =>
    finding('WCI-CB-013', {
      ...{
        check: 'c.changes',
        exchanges: ['c16'],
        decisive: 'c16',
        expected: 'COMPLETED and boarding passes',
      },
      ...{
        actual: '{"status":"COMPLETED","boarding_passes":"https://b"}',
        alsoBreaks: ['WCI-CB-010'],
        ...given,
      },
    });
  expect(groups([isArray, shown({})])).toHaveLength(1);
  expect(groups([isArray, shown({ alsoBreaks: [] })])).toHaveLength(2);
  expect(groups([isArray, shown({ actual: '{"boarding_passes":[]}' })])).toHaveLength(2);
});

const refused = (requirement: string, given: object) =>
  finding(requirement, { check: `c.${requirement}`, exchanges: [`x ${requirement}`], ...given });

test.each([
  [
    'a lead time that lets through what is too close',
    {
      expected: 'HTTP 422 REJECTED for a departure from DXB, which is 5 h 58 min ahead',
      actual: 'HTTP 200 message SCHEDULED',
    },
    {
      expected: 'a refusal for a departure from DEL, which is 5 h 40 min ahead',
      actual: 'HTTP 200 message SCHEDULED, accepted',
    },
  ],
  [
    'a status that no operation documents',
    { expected: 'one of HTTP 200, 429', actual: 'HTTP 503 RATE_LIMITED (Wait.)' },
    { expected: 'one of HTTP 200, 401, 429', actual: 'HTTP 503 RATE_LIMITED (Wait 2 s.)' },
  ],
  [
    'one later rule that says the same of what is malformed',
    { expected: 'HTTP 400 VALIDATION_ERROR', actual: 'HTTP 422 REJECTED (Airline null is not supported.)' },
    { expected: 'HTTP 400 VALIDATION_ERROR', actual: 'HTTP 422 REJECTED (Airline null is not supported.)' },
  ],
  [
    'one operation that does not ask for a key',
    {
      expected: 'HTTP 401',
      actual: 'HTTP 200',
      case: { steps: [{ operation: 'wci.update', key: 'unknown' }] },
    },
    {
      expected: 'HTTP 401',
      actual: 'HTTP 404 NOT_FOUND (None.)',
      case: { steps: [{ operation: 'wci.update', key: 'unknown' }] },
    },
  ],
])('%s is one cause', (_, one, other) => {
  expect(groups([refused('SHR-ERR-018', one), refused('SHR-ERR-017', other)])).toHaveLength(1);
});

test('whatever is wrong with the Authorization of callbacks is one cause', () => {
  const unknown = refused('FLA-CB-003', {
    code: 'unreturned',
    actual: 'one that none returned',
    exchanges: ['c1'],
  });
  const prefixed = refused('FLA-CB-003', {
    code: 'value',
    check: 'c.p',
    actual: 'the key with "Bearer " before',
    exchanges: ['c2'],
  });
  expect(groups([unknown, prefixed])).toHaveLength(1);
});

test('keys of two kinds, or two sentences, are two causes', () => {
  const open = (key: string) => ({
    expected: 'HTTP 401',
    actual: 'HTTP 200',
    case: { steps: [{ operation: 'wci.list', key }] },
  });
  expect(
    groups([refused('SHR-AUT-004', open('unknown')), refused('SHR-AUT-007', open('disabled'))]),
  ).toHaveLength(2);
  const late = (text: string) => ({
    expected: 'HTTP 400 VALIDATION_ERROR',
    actual: `HTTP 422 REJECTED (${text})`,
  });
  expect(
    groups([
      refused('WCI-SUB-030', late('Airline null is not supported.')),
      refused('WCI-SUB-033', late('Route LHR to LHR is not supported.')),
    ]),
  ).toHaveLength(2);
});

test('what was seen once of a rule that is certainly broken in this way belongs to it', () => {
  const once = { severity: 'warn' as const, level: 'must' as const, confirmed: '1 of 1' };
  const missing = {
    code: 'missing-info',
    expected: 'a missing_info that is not empty',
    actual: 'missing_info []',
  };
  const sure = refused('WCI-RDY-014', missing);
  expect(
    groups([sure, refused('WCI-RDY-014', { ...missing, ...once, check: 'c.other', exchanges: ['x611'] })]),
  ).toHaveLength(1);
  expect(
    groups([
      sure,
      refused('WCI-RDY-014', {
        ...missing,
        ...once,
        check: 'c.other',
        code: 'other',
        actual: 'HTTP 500',
        exchanges: ['x611'],
      }),
    ]),
  ).toHaveLength(2);
});
