import type { RecordedChecks } from '../../plan/recorded.ts';
import type { CheckTime } from '../../plan/recordedTimes.ts';
import { spaced } from './renderCosts.ts';

/** The file of the recorded times, one line per check. */
export function renderTimes(times: RecordedChecks<CheckTime>): string {
  const lines = Object.entries(times).map(([id, time]) => `  ${JSON.stringify(id)}: ${spaced(time)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
