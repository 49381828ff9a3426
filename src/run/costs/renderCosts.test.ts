import { expect, test } from 'vitest';
import { steadied } from './recordTimes.ts';
import { renderChanges, renderCosts } from './renderCosts.ts';

const costs = {
  'wci.a.one': { least: { requests: 2, quota: 1 } },
  'wci.b.two': { least: {}, more: { requests: 3 }, each: { requests: 1 } },
};

test('a recorded time stays where it differs by one answer or delivery', () => {
  const before = {
    'wci.a.one': { least: { turns: 3 } },
    'wci.b.two': { least: {}, more: { turns: 4, waits: 1 } },
  };
  const near = { 'wci.a.one': { least: { turns: 4 } }, 'wci.b.two': { least: {}, more: { turns: 4 } } };
  expect(steadied(before, near)).toEqual(before);
  const other = {
    'wci.a.one': { least: { turns: 5 } },
    'wci.b.two': { least: {} },
    'wci.c.new': { least: {} },
  };
  expect(steadied(before, other)).toEqual(other);
});

test('a recording is a line a check, in JSON', () => {
  const text = renderCosts(costs);
  expect(JSON.parse(text)).toEqual(costs);
  expect(text).toMatchInlineSnapshot(`
    "{
      "wci.a.one": { "least": { "requests": 2, "quota": 1 } },
      "wci.b.two": { "least": {}, "more": { "requests": 3 }, "each": { "requests": 1 } }
    }
    "
  `);
});

test('changes name the check, what it spent and what it spends', () => {
  const after = { ...costs, 'wci.a.one': { least: { requests: 3, quota: 1 } }, 'wci.c.new': { least: {} } };
  expect(renderChanges(costs, costs)).toEqual([]);
  expect(renderChanges(costs, after)).toMatchInlineSnapshot(`
    [
      "wci.a.one: was { "least": { "requests": 2, "quota": 1 } }, is { "least": { "requests": 3, "quota": 1 } }",
      "wci.c.new: was not recorded, is { "least": {} }",
    ]
  `);
});
