import { expect, test } from 'vitest';
import { renderChanges, renderCosts } from './renderCosts.ts';

const costs = {
  'wci.a.one': { least: { requests: 2, quota: 1 } },
  'wci.b.two': { least: {}, more: { requests: 3 }, each: { requests: 1 } },
};

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
