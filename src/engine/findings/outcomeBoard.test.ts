import { expect, test } from 'vitest';
import { sampleFinding } from '../../../test/support/sampleResult.ts';
import { Redactor } from '../../core/redact.ts';
import type { CheckOutcome } from './outcome.ts';
import { OutcomeBoard } from './outcomeBoard.ts';

const fails = { status: 'fail', samples: 1, reason: 'HTTP 500' } as const;
const outcomeOf = (check: string, severity: 'fail' | 'inconclusive'): CheckOutcome => ({
  ...{ check, title: check, requests: 1, verdict: fails, verdicts: new Map() },
  findings: [sampleFinding({ check, severity })],
});

test('what a target in trouble broke is told once it is well again, or as it stands in the end', () => {
  const told: string[] = [];
  const open = new Set(['wci.one', 'wci.two']);
  const board = new OutcomeBoard(
    new Redactor(),
    (event) => event.name === 'finding' && told.push(`${event.severity} ${event.check}`),
    undefined,
    ({ check }) => open.has(check),
  );
  board.settle(outcomeOf('wci.one', 'fail'));
  board.settle(outcomeOf('wci.two', 'fail'));
  expect(told).toEqual([]);
  open.delete('wci.one');
  board.settle(outcomeOf('wci.three', 'fail'));
  expect(told).toEqual(['fail wci.one', 'fail wci.three']);
  board.preset(outcomeOf('wci.two', 'inconclusive'));
  board.release();
  expect(told.slice(2)).toEqual(['inconclusive wci.two']);
});
