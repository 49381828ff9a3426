import { describe, expect, test } from 'vitest';
import { finding, groups } from '../../test/support/causeGroups.ts';
import type { Finding } from '../engine/findings/finding.ts';
import { causesOf } from './causes.ts';

const parts = '--b\r\nContent-Disposition: form-data; name="passengers"\r\n\r\n[{}]\r\n--b--';
const lenient = { expected: 'HTTP 400 VALIDATION_ERROR', actual: 'HTTP 200' };

/** Something that is let pass, by multipart or by JSON. */
const letPass = (requirement: string, body: string, check = `wci.${requirement}`) =>
  finding(requirement, { ...lenient, check, case: { whole: false, steps: [{ body }] } });

describe('findings share a cause', () => {
  test('where two checks see one rule broken, whatever they call it', () => {
    const one = finding('WCI-UPD-026', { check: 'wci.callbacks.retries', code: 'lost' });
    const other = finding('WCI-UPD-026', { check: 'wci.passive.owed-events', code: 'known:silent' });
    expect(groups([one, other])).toHaveLength(1);
    // One check that tells two ways apart may have seen two mistakes.
    expect(groups([one, { ...other, check: one.check }])).toHaveLength(2);
  });

  test('where only multipart lets them pass, which the rule about it tells; not where JSON does too', () => {
    const given = [
      letPass('WCI-SUB-007', parts),
      letPass('WCI-STS-017', parts),
      letPass('WCI-MP-005', parts),
    ];
    expect(groups(given)).toEqual([['WCI-MP-005', 'WCI-SUB-007', 'WCI-STS-017']]);
    const byJson = letPass('WCI-STS-017', '{}', 'wci.other');
    expect(groups([...given, byJson]).length).toBeGreaterThan(1);
  });

  test('where times are wrong by the same offset, in whatever member', () => {
    const time = (hour: string) => ({ kind: 'value', value: `2026-07-15T${hour}:30:00.000Z` }) as const;
    const shown = finding('WCI-SUB-007', { at: 'data[0].created_at', want: time('09'), got: time('13') });
    const told = finding('WCI-STS-017', {
      ...{ check: 'wci.callbacks', at: 'occurredAt', want: time('09') },
      got: { kind: 'off', value: '2026-07-18T13:30:19.900Z', minutes: 240 },
    });
    expect(groups([shown, told])).toHaveLength(1);
  });
});

test('what most answers break explains nothing that is seen later', () => {
  const leak = finding('WCI-STS-017', {
    check: 'wci.passive.history',
    code: 'leak',
    confirmed: '2326 of 2654',
  });
  const later = finding('WCI-UPD-026', { follows: ['WCI-STS-017'] });
  expect(groups([leak, later])).toHaveLength(2);
  expect(groups([{ ...leak, confirmed: '3 of 2654' }, later])).toHaveLength(1);
});

describe('what follows from another finding of a cause does not lead', () => {
  const refused = { actual: 'HTTP 401 UNAUTHORIZED (Send an active key.)' };

  test('a key that is refused leads before all that was asked with it', () => {
    const asked = finding('FLA-CB-006', { ...refused, expected: 'HTTP 400', exchanges: ['x1'] });
    const keys = finding('SHR-AUT-009', { ...refused, expected: 'HTTP 200', exchanges: ['x2', 'x3'] });
    expect(groups([asked, keys])).toEqual([['SHR-AUT-009', 'FLA-CB-006']]);
  });

  test('what an answer lacks where another one was due', () => {
    const rare = { confirmed: '28 of 285', case: { whole: true }, exchanges: ['x1'] };
    const lacks = finding('WCI-UPD-026', {
      ...rare,
      expected: 'retryAfter is a number',
      actual: 'no retryAfter',
    });
    const other = finding('WCI-SUB-007', {
      ...{
        expected: 'HTTP 402 QUOTA_EXHAUSTED',
        actual: 'HTTP 429 QUOTA_EXHAUSTED',
        alsoBreaks: ['WCI-UPD-026'],
      },
      exchanges: ['x1', 'x2', 'x3'],
    });
    expect(groups([lacks, other])).toEqual([['WCI-SUB-007', 'WCI-UPD-026']]);
  });

  test('pages that do not add up to a total that is wrong itself', () => {
    const place = { check: 'wci.list.pages', exchanges: ['x1'], decisive: 'x1' };
    const pages = finding('WCI-LST-005', { ...place, at: 'data' });
    const total = finding('WCI-LST-013', { ...place, exchanges: ['x0', 'x1'], at: 'pagination.total' });
    expect(groups([pages, total])).toEqual([['WCI-LST-013', 'WCI-LST-005']]);
  });

  test('two answers that differ because the read between them changes the record', () => {
    const time = (second: string) => ({ kind: 'value', value: `2026-07-15T09:30:${second}.000Z` }) as const;
    const member = { at: 'last_updated', code: 'different', want: time('01'), got: time('02') };
    const alias = finding('WCI-STS-002', { ...member, exchanges: ['x1'] });
    const read = finding('WCI-STS-009', { ...member, exchanges: ['x2', 'x3', 'x4'] });
    expect(groups([alias, read])[0]?.[0]).toBe('WCI-STS-009');
  });

  test('too many requests in a window, where the limiter has a name', () => {
    const many = finding('SHR-LIM-002', {
      code: 'too-many',
      expected: 'at most 60 requests of a key in 60 s',
    });
    const named = finding('SHR-LIM-005', {
      ...{ code: 'limiter', check: 'shared.limits.minute' },
      exchanges: ['x1', 'x2', 'x3'],
    });
    expect(groups([many, named])).toEqual([['SHR-LIM-005', 'SHR-LIM-002']]);
  });
});

test('units that a subscribe takes too many are one cause, wherever they are counted', () => {
  const units = (value: number, note?: string) => ({
    kind: 'number',
    value,
    things: 'units',
    ...(note && { note }),
  });
  const taken = {
    at: 'quota.consumed_units',
    want: units(1, 'of the quota'),
    got: units(2),
  } as Partial<Finding>;
  const after = {
    ...taken,
    want: units(1, 'for the subscribe after it'),
    check: 'shared.limits.side-effects',
  };
  const found = [finding('WCI-STS-017', taken), finding('WCI-UPD-026', after as Partial<Finding>)];
  expect(groups(found)).toHaveLength(1);
});

test('the case of a check leads before a refusal that an oracle saw in passing', () => {
  const got = { kind: 'answer', status: 422 } as const;
  const passing = {
    want: { kind: 'accepted' },
    got,
    at: 'answer',
    case: { whole: true },
  } as Partial<Finding>;
  const seen = finding('WCI-SUB-007', {
    ...passing,
    check: 'wci.passive.known-bookings',
    confirmed: '3 of 148',
  });
  const tried = finding('WCI-SUB-007', { ...passing, check: 'wci.journey', case: { whole: false } });
  const [cause] = causesOf({ findings: [seen, { ...tried, code: seen.code }], requirements: [] });
  expect(cause?.lead.check).toBe('wci.journey');
});
