import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../trace/json.ts';
import { found } from '../../judge/kernel/sample.ts';
import {
  changedForms,
  changedPaths,
  isTold,
  judgeChange as judge,
  reliablePaths,
  type ChangedLeg,
} from './noticeValues.ts';
import { noticesOf } from '../world/upstream.ts';
import { delivery } from '../../../test/support/judge/deliveries.ts';

const before: JsonObject = {
  status: 'schedule',
  stopover: { airportIata: 'KWI', city: 'Kuwait City' },
  isCodeshare: 1,
  departure: { gate: 'A7', terminal: '1', estimatedTime: '2031-03-14 09:25:00', utcOffsetSeconds: 10_800 },
  arrival: { baggageBelt: '4' },
};
const paths = reliablePaths(before, before);
const notices = (...all: readonly JsonObject[]) =>
  noticesOf(all.map((changes) => delivery({ body: { fid: '7', changes } })));

function change(
  given: JsonObject,
  told: readonly JsonObject[],
  earlier: readonly JsonObject[] = [],
  registered: JsonObject = before,
): ChangedLeg {
  const after = Object.fromEntries(
    Object.entries({ ...before, ...given }).map(([name, value]) => {
      const old = before[name];
      const isPart = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [name, isPart ? { ...(old as JsonObject), ...(value as JsonObject) } : value];
    }),
  );
  return { before, after, paths, notices: notices(...told), earlier: notices(...earlier), registered };
}

const judgeChange = (changed: ChangedLeg) => found((findings) => judge(changed, findings));

/** The rules that are broken. */
const broken = (changed: ChangedLeg) =>
  Object.entries(judgeChange(changed)).flatMap(([rule, { status }]) => (status === 'violated' ? [rule] : []));

const gate = { departure: { gate: 'B1' } };

test.each<[string, JsonObject, readonly JsonObject[], (readonly JsonObject[])?, JsonObject?]>([
  ['the change itself', gate, [gate]],
  ['the change in two parts', { ...gate, status: 'delay' }, [{ status: 'delay' }, gate]],
  ['the change twice', gate, [gate, gate]],
  [
    'an earlier one that comes again',
    gate,
    [gate, { departure: { gate: 'Z0' } }],
    [{ departure: { gate: 'Z0' } }],
  ],
  ['what was told before and is so again', gate, [gate], [gate]],
  ['an older value beside the new one', gate, [gate, { departure: { gate: 'A0' } }]],
  ['a whole stopover', { stopover: { city: 'K' } }, [{ stopover: { airportIata: 'KWI', city: 'K' } }]],
  ['a stopover cleared as null', { stopover: { airportIata: null, city: null } }, [{ stopover: null }]],
  [
    'a city cleared as null, though lookups show it as blank',
    { stopover: { city: '' } },
    [{ stopover: { city: null } }],
  ],
  ['no alternate routes as an empty array', { alternateInfo: null }, []],
  ['alternate routes', { alternateInfo: [{ status: 'x' }] }, [{ alternateInfo: [{ status: 'x' }] }]],
  [
    'an offset as a text',
    { departure: { utcOffsetSeconds: 7200 } },
    [{ departure: { utcOffsetSeconds: '7200' } }],
  ],
  [
    'an offset of zero as a text',
    { departure: { utcOffsetSeconds: 0 } },
    [{ departure: { utcOffsetSeconds: '0' } }],
  ],
  [
    'an offset of zero as a number',
    { departure: { utcOffsetSeconds: '0' } },
    [{ departure: { utcOffsetSeconds: 0 } }],
  ],
  [
    'a late initial notification',
    gate,
    [gate, { status: 'old', departure: { gate: 'A0' } }],
    [],
    {
      ...before,
      status: 'old',
      departure: { gate: 'A0' },
    },
  ],
])('%s breaks no rule', (_, given, told, earlier, registered) => {
  const changed = change(given, told, earlier, registered);
  expect(broken(changed)).toEqual([]);
  expect(isTold(changed)).toBe(true);
});

test.each<[string, JsonObject, readonly JsonObject[], readonly string[]]>([
  ['a wrong value', gate, [{ departure: { gate: 'B2' } }], ['FLA-CB-008']],
  ['a missing member', { departure: { gate: 'B1', terminal: '2' } }, [gate], ['FLA-CB-009']],
  ['an unchanged member', gate, [{ departure: { gate: 'B1', terminal: '1' } }], ['FLA-CB-010']],
  [
    'a cleared member left out',
    { departure: { gate: null, terminal: '2' } },
    [{ departure: { terminal: '2' } }],
    ['FLA-CB-011'],
  ],
  [
    'a cleared member as a blank',
    { departure: { gate: null } },
    [{ departure: { gate: '' } }],
    ['FLA-CB-011'],
  ],
  [
    'alternate routes that did not change',
    gate,
    [{ ...gate, alternateInfo: [{ status: 'x' }] }],
    ['FLA-CB-012'],
  ],
  [
    'one of two alternate routes',
    { alternateInfo: [{ status: 'x' }, { status: 'y' }] },
    [{ alternateInfo: [{ status: 'x' }] }],
    ['FLA-CB-013'],
  ],
  ['a stopover left out', { ...gate, stopover: { city: 'K' } }, [gate], ['FLA-CB-014']],
  [
    'a converted time',
    { departure: { estimatedTime: '2031-03-14 10:00:00' } },
    [{ departure: { estimatedTime: '2031-03-14 07:00:00' } }],
    ['FLA-CB-022'],
  ],
  ['a rewritten status', { status: ' Delay' }, [{ status: 'delay' }], ['FLA-CB-024']],
])('%s breaks its rule alone', (_, given, told, rules) => {
  expect(broken(change(given, told))).toEqual(rules);
});

test('where lookups show a cleared value as blank, a null that is reported clears it, and a blank is a value', () => {
  const shown = { departure: { gate: '' } };
  const clears = (told: JsonObject) => judgeChange(change(shown, [told]));
  expect(clears({ departure: { gate: null } })).toMatchObject({ 'FLA-CB-011': { status: 'holds' } });
  expect(clears({ departure: { gate: '' } })).toMatchObject({ 'FLA-CB-011': { status: 'not-applicable' } });
  expect(judgeChange(change(gate, [gate]))).not.toHaveProperty('FLA-CB-011');
});

test('from blank to null is no change, and a value that is shown otherwise than upstream has it is not judged', () => {
  const legs = { before: { departure: { gate: '' } }, after: { departure: { gate: null } }, paths };
  expect(changedPaths(legs)).toEqual([]);
  const told = (...all: readonly JsonObject[]) => {
    const given = { notices: notices(...all), earlier: [], registered: before };
    return broken({ ...legs, ...given });
  };
  for (const form of [null, '', '0000-00-00 00:00:00'])
    expect(told({ departure: { gate: form } })).toEqual([]);
  expect(told({ departure: { gate: 'A0' } })).toEqual(['FLA-CB-011']);
  expect(told({ departure: { gate: 'A0' } }, { departure: { gate: null } })).toEqual([]);
  expect(reliablePaths({ status: 'delayed' }, { status: 'delay' })).not.toContain('status');
});

test('a value that is shown alike while upstream changes its form is one that may be reported or not', () => {
  const seconds = (utcOffsetSeconds: Json): JsonObject => ({ departure: { utcOffsetSeconds, gate: 'A7' } });
  const shown = { before: seconds('7200'), after: seconds('7200') };
  const path = 'departure.utcOffsetSeconds';
  expect(changedForms(shown, { before: seconds('7200'), after: seconds(7200) })).toEqual([path]);
  expect(changedForms(shown, { before: seconds(7200), after: seconds(7200) })).toEqual([]);
  expect(changedForms({ ...shown, after: seconds(7200) }, shown)).toEqual([]);
});
