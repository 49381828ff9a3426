import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../src/catalogue/loadCatalogue.ts';
import { lastLook } from '../src/engine/session/order.ts';
import { readSuites } from '../src/engine/session/suites.ts';
import { operationIds } from '../src/core/operations.ts';
import { oracles } from '../src/judge/oracles.ts';
import { doubtfulRows, faultRows } from '../src/spec/grammar/readForms.ts';

const catalogue = loadCatalogue();
const checks = await readSuites();
const rows = [...catalogue.requirements, ...catalogue.openPoints];
const covered = new Set(checks.flatMap((check) => check.verifies));

/** Rows that no check verifies yet, by the reason that they share. */
const notYet: Readonly<Record<string, readonly string[]>> = {
  'is a permission about what follows a 500, which nothing provokes': ['SHR-ERR-033'],
  'is judged wherever it turns up, and no request provokes it': ['FLA-SUB-032'],
};
const excepted = Object.values(notYet).flat();

describe('the suites', () => {
  test('verify every row that is neither excused nor excepted', () => {
    const missing = rows.filter(
      ({ id, excused }) => excused === null && !covered.has(id) && !excepted.includes(id),
    );
    expect(
      missing.map(({ id }) => id),
      'name these rows in `verifies` of a check or an oracle; an oracle also has to be in src/judge/oracles.ts',
    ).toEqual([]);
  });

  // The oracle of all inputs verifies these as well, and sends nothing.
  test('send what the grammar refuses', () => {
    const sent = new Set(checks.flatMap(({ kind, verifies }) => (kind === 'passive' ? [] : verifies)));
    const refused = operationIds.flatMap((id) => [...faultRows(id), ...doubtfulRows(id)]);
    expect(
      [...new Set(refused)].filter((id) => !sent.has(id)),
      'no check sends a fault of these rows: add the corruption to a list of src/generate/ that a suite sends, or name the row in `verifies` of the check that sends it',
    ).toEqual([]);
  });

  test('verify no row that is excused or excepted, so that both lists stay true', () => {
    const excused = rows.filter((row) => row.excused !== null).map(({ id }) => id);
    expect([...excused, ...excepted].filter((id) => covered.has(id))).toEqual([]);
    expect(excepted.filter((id) => !catalogue.has(id))).toEqual([]);
    expect(excepted.filter((id, index) => excepted.indexOf(id) !== index)).toEqual([]);
  });

  test('show every oracle by exactly one passive check', () => {
    const passive = checks.filter(({ kind }) => kind === 'passive');
    expect(
      passive.map(({ id }) => id.replace(/^\w+\.passive\./, '')).sort(),
      'each oracle must be in src/judge/oracles.ts, and in a suite as passive(…, oracles.itsName)',
    ).toEqual(oracles.map(({ id }) => id).sort());
    for (const oracle of oracles) {
      const check = passive.find(({ id }) => id.endsWith(`.passive.${oracle.id}`));
      expect(check?.verifies, oracle.id).toEqual(oracle.verifies);
    }
  });

  // A check that is renamed loses its baseline and its replays: ids are only ever added to this list.
  test('keep the ids of their checks', () => {
    const ids = new Set(checks.map(({ id }) => id));
    expect(ids.size).toBe(checks.length);
    const frozen = new Set(
      readFileSync(new URL('frozen-ids.txt', import.meta.url), 'utf8')
        .trim()
        .split('\n'),
    );
    const known = new Set(checks.flatMap(({ id, tags }) => [id, ...tags]));
    expect([...frozen.difference(known)], 'give these checks their ids back: others refer to them').toEqual(
      [],
    );
    expect([...ids.difference(frozen)], 'add these lines to suites/frozen-ids.txt').toEqual([]);
  });
});

describe.each(checks.map((check) => ({ check, id: check.id })))('$id', ({ check }) => {
  const { kind, cases, needs } = check;
  const least = check.cost(cases.minCases);
  const most = check.cost(cases.maxCases);

  test('has an id, a title and rows in the form of all others', () => {
    expect(check.id).toMatch(/^(shared|wci|fla)(\.[a-z0-9]+(-[a-z0-9]+)*){2,}$/);
    expect(check.title).toMatch(/^\S.*[^.\s]$/s);
    expect(check.verifies.length).toBeGreaterThan(0);
    expect(new Set(check.verifies).size).toBe(check.verifies.length);
  });

  test('costs what can be paid', () => {
    const wholes = [least, most].flatMap((cost) => [cost.requests, cost.quota, cost.subscriptions]);
    expect(wholes.every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
    if (kind === 'passive') expect(most).toEqual({ requests: 0, quota: 0, subscriptions: 0 });
    // A last look may find nothing to try.
    else if (!check.tags.includes(lastLook)) expect(least.requests + check.uses.length).toBeGreaterThan(0);
    // What fills a budget takes as many requests as the budget has.
    const longest = check.tags.includes('limits') ? 1200 : 40;
    const advice = 'split the check, or make it a table, of which a run with a small budget sends a sample';
    expect(least.requests, `too many requests for one check: ${advice}`).toBeLessThanOrEqual(longest);
    expect(least.quota, `too many quota units for one check: ${advice}`).toBeLessThanOrEqual(10);
    if (kind === 'fixed') expect(check.cost(1)).toEqual(check.cost(1000));
    else expect(most.requests).toBeGreaterThanOrEqual(least.requests);
    expect(cases.minCases).toBeGreaterThanOrEqual(1);
    expect(cases.maxCases).toBeGreaterThanOrEqual(cases.minCases);
  });

  test('needs leave for what it spends', () => {
    if (most.quota > 0) expect(needs).toEqual(expect.arrayContaining(['writes', 'quota']));
    if (most.subscriptions > 0) expect(needs).toEqual(expect.arrayContaining(['writes', 'subscriptions']));
    if (needs.includes('quota') || needs.includes('subscriptions')) expect(needs).toContain('writes');
  });
});
