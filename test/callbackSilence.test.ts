import { describe, expect, test } from 'vitest';
import { readSuites } from '../src/engine/session/suites.ts';
import { policyOfJob } from '../src/run/prove/job.ts';
import { judgeReference } from '../src/run/prove/judgeReference.ts';

const checks = (await readSuites()).filter(({ id }) => /^wci\.(callbacks|passive)\./.test(id));

/** The rows of callbacks that failed or stayed undecided at a deployment that tells less than ours. */
async function judged(given: {
  readonly without: readonly string[];
  readonly defect?: string;
  readonly dialect?: Readonly<Record<string, string>>;
}) {
  const { without, defect = null, dialect = {} } = given;
  const { verdicts } = await judgeReference({
    checks,
    only: ['wci.callbacks.*', 'wci.passive.*'],
    apis: ['webcheckin'],
    policy: policyOfJob({ defect, dialect }),
    without,
    seed: 5,
  });
  const ids = (wanted: string) =>
    [...verdicts].filter(([, { status }]) => status === wanted).map(([row]) => row.id);
  return {
    failed: ids('fail'),
    warned: ids('warn'),
    undecided: ids('inconclusive'),
    passed: ids('pass'),
    observed: ids('observed'),
  };
}

const quiet = ['callbacks.pending'];
const quietAndStill = [...quiet, 'clock.advance'];

test('that each event comes twice is told, and no warning', async () => {
  const { warned, observed } = await judged({ without: [], dialect: { 'callback-duplicates': 'twice' } });
  expect(warned).toEqual([]);
  expect(observed).toContain('WCI-CB-081');
});

describe.each([
  { name: 'that does not tell what is pending', without: quiet },
  { name: 'that does not move its clock either', without: quietAndStill },
])('a deployment $name', ({ without }) => {
  test.each([
    { dialect: {} },
    { dialect: { 'callback-delay': 'late', 'callback-duplicates': 'twice' } },
    { dialect: { 'callback-order': 'in-order', 'callback-retries': 'slow', 'reported-fields': 'all' } },
    {
      dialect: { events: 'creation-and-status', 'callback-retries': 'none', 'reported-fields': 'one-by-one' },
    },
  ])('is failed for nothing where it conforms: $dialect', async ({ dialect }) => {
    const { failed, passed } = await judged({ without, dialect });
    expect(failed).toEqual([]);
    expect(passed).toContain('WCI-CB-021');
  });

  test.each([
    { defect: 'webhook-completion-silent', rows: ['WCI-CB-013', 'WCI-CB-021'] },
    { defect: 'webhook-lost-on-update', rows: ['WCI-CB-026'] },
    { defect: 'webhook-failure-silent', rows: ['WCI-CB-021'] },
  ])('is failed for $defect, by a later callback that did come', async ({ defect, rows }) => {
    expect((await judged({ without, defect })).failed).toEqual(expect.arrayContaining(rows));
  });

  test('that never delivers anything is not failed: nothing shows that it could', async () => {
    const { failed, undecided } = await judged({ without, defect: 'webhook-silent' });
    expect(failed).toEqual([]);
    expect(undecided).toContain('WCI-CB-001');
  });
});
