import type { Cost } from '../../plan/check.ts';
import type { RecordedChecks, CheckTime } from '../../plan/recorded.ts';

/** The file of the recorded costs, one line per check. */
export function renderCosts(costs: RecordedChecks<Cost>): string {
  const lines = Object.entries(costs).map(([id, cost]) => `  ${JSON.stringify(id)}: ${spaced(cost)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** The changes between two recordings, one line per check. */
export function renderChanges(before: RecordedChecks<Cost>, after: RecordedChecks<Cost>): readonly string[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return ids.flatMap((id) => {
    const [was, is] = [before[id], after[id]].map((cost) => (cost ? spaced(cost) : 'not recorded'));
    return was === is ? [] : [`${id}: was ${was ?? ''}, is ${is ?? ''}`];
  });
}

/** On one line, in the formatter's style. */
function spaced(value: object): string {
  return JSON.stringify(value).replaceAll(/[{:,]/g, '$& ').replaceAll('}', ' }').replaceAll('{  }', '{}');
}

/** The file of the recorded times, one line per check. */
export function renderTimes(times: RecordedChecks<CheckTime>): string {
  const lines = Object.entries(times).map(([id, time]) => `  ${JSON.stringify(id)}: ${spaced(time)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
