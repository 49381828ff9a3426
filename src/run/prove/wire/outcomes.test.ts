import { expect, test } from 'vitest';
import { mutantOf } from '../../../wire/mutants/place.ts';
import type { AcceptedGroup } from './accepted.ts';
import { undecidedMutant, type MutantStatus } from './trial.ts';
import { outcomesOf, survivorsOf } from './outcomes.ts';
import { renderWireConsole, renderWireJson } from './renderWire.ts';
import { renderWireHtml } from './renderWireHtml.ts';
import { sumsOf } from './wireMap.ts';
import { isWireProved, type WireProof } from './wireProof.ts';

const place = { family: 'answer', about: 'wci.list', status: 200, carrier: null, path: 'data' } as const;
const operators = ['omit', 'null', 'type', 'empty'] as const;
const mutants = operators.map((operator) => mutantOf(place, operator, 'always'));

const accepted: readonly AcceptedGroup[] = [
  {
    because: 'It may be so.',
    quotes: ['Web Check-in, GET requests: "may"'],
    partly: false,
    mutants: [{ family: 'answer', about: ['wci.list'], operator: ['empty'] }],
  },
];

/** A proof in which the mutants end with these statuses, in order. */
function proofOf(...statuses: readonly MutantStatus[]): WireProof {
  const results = statuses.map((status, index) => {
    const job = { id: mutants[index]?.id ?? '' };
    return { ...undecidedMutant(job, status), rows: ['WCI-LST-001'], fired: 1 };
  });
  return { variations: [], mutants: outcomesOf(mutants, results, accepted), stale: [], least: 97 };
}

test('a mutant over which a must merely warns is missed, and counted apart', () => {
  const proof = proofOf('noticed', 'warned');
  expect(sumsOf(proof.mutants)).toMatchObject({ noticed: 1, missed: 1, warned: 1, score: 50 });
  expect(survivorsOf(proof.mutants).map(({ mutant }) => mutant.operator)).toEqual(['null']);
  expect(isWireProved(proof)).toBe(false);
});

test('terminal, data and page say that a must merely warned, and which', () => {
  const proof = proofOf('noticed', 'warned');
  const said = '1 missed, of which 1 merely warned';
  expect(renderWireConsole(proof)).toContain(said);
  expect(renderWireConsole(proof)).toContain('WCI-LST-001 merely warned over answer/wci.list/200/data:null');
  expect(JSON.parse(renderWireJson(proof))).toMatchObject({ proved: false, summary: { warned: 1 } });
  expect(renderWireHtml(proof)).toContain(said);
  expect(renderWireConsole(proofOf('noticed', 'missed'))).not.toContain('merely');
});

test('a warning over a mutant that is accepted is as good as none', () => {
  const proof = proofOf('noticed', 'noticed', 'noticed', 'warned');
  expect(proof.mutants.at(-1)).toMatchObject({ outcome: 'accepted', contradicts: false });
  expect(isWireProved(proof)).toBe(true);
});
