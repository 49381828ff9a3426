import { gateOf, gateText } from './gate.ts';
import type { RequirementResult, RunResult } from './result.ts';
import { stateOf } from './states.ts';

/**
 * What formats that list tests show: a case for each requirement, and one for the gate if it is not met and none of them shows that.
 * Else a file in which all tests passed would stand beside an exit code that is not 0.
 */
export function casesOf(
  { summary, requirements }: RunResult,
  isShownElsewhere = false,
): readonly RequirementResult[] {
  const gate = gateOf(summary);
  if (gate === null || gate.state === 'met' || isShownElsewhere || requirements.some(isRed))
    return requirements;
  return [
    ...requirements,
    {
      ...{ id: 'gate', title: 'The gate is met.', level: 'must', source: [], checks: [] },
      verdict: gate.state === 'not-met' ? 'fail' : 'inconclusive',
      ...{ samples: 1, baselined: false },
      reason: [gateText(gate), ...(summary.reasons ?? [])].join('\n'),
    },
  ];
}

function isRed(row: RequirementResult): boolean {
  const state = stateOf(row);
  return state === 'fail' || (state === 'inconclusive' && row.level === 'must');
}
