import { expect, test } from 'vitest';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { passed, type Verdict } from '../judge/kernel/verdict.ts';
import { sampleFinding } from '../../test/support/sampleResult.ts';
import { checkOf } from '../../test/support/engine.ts';
import { select } from './buildResult.ts';

const catalogue = loadCatalogue();
const failed: Verdict = { status: 'fail', samples: 1, reason: 'broken' };
const verdicts = new Map(
  [
    ['WCI-STS-001', passed(1)],
    ['WCI-STS-004', failed],
    ['WCI-LST-002', failed],
    ['SHR-ERR-001', passed(9)],
  ].map(([id, verdict]) => [catalogue.get(id as string), verdict as Verdict] as const),
);
const findings = ['WCI-STS-004', 'WCI-LST-002'].map((requirement) => sampleFinding({ requirement }));
const checks = [
  checkOf(() => Promise.resolve(), {
    id: 'wci.status',
    tags: ['smoke'],
    verifies: ['WCI-STS-001', 'WCI-STS-004'],
  }),
  checkOf(() => Promise.resolve(), { id: 'wci.list', verifies: ['WCI-LST-002', 'WCI-STS-001'] }),
];

function selected(...only: string[]) {
  const { rows, findings: counted, outside } = select({ verdicts, findings, checks, only });
  return {
    rows: rows.map(([{ id }]) => id),
    findings: counted.map(({ requirement }) => requirement),
    outside,
  };
}

test('everything counts where nothing in particular was asked for', () => {
  expect(selected()).toEqual({
    rows: ['WCI-STS-001', 'WCI-STS-004', 'WCI-LST-002', 'SHR-ERR-001'],
    findings: ['WCI-STS-004', 'WCI-LST-002'],
    outside: null,
  });
});

test.each<[only: string, rows: string[]]>([
  ['WCI-STS-004', ['WCI-STS-004']],
  ['wci-sts-*', ['WCI-STS-001', 'WCI-STS-004']],
  ['wci.list', ['WCI-STS-001', 'WCI-LST-002']],
  ['smoke', ['WCI-STS-001', 'WCI-STS-004']],
  ['SHR-*', ['SHR-ERR-001']],
])('%s asks for its requirements, by id, by check and by tag', (only, rows) => {
  expect(selected(only).rows).toEqual(rows);
});

test('what was seen broken beside the selection is told, and does not count', () => {
  const { findings: counted, outside } = selected('WCI-STS-*');
  expect(counted).toEqual(['WCI-STS-004']);
  expect(outside).toEqual({ total: 4, broken: ['WCI-LST-002'] });
});
