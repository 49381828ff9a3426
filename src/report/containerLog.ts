import type { LogLine } from '../target/target.ts';
import type { Finding } from '../engine/findings/finding.ts';
import type { RunResult } from './result.ts';

/** When something was under way, in epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A line is logged while the answer is sent, so it may arrive a little later. */
const graceMs = 100;
const mostLines = 40;

/** Adds to each finding the lines that were logged while its exchanges were under way. */
export function withLogs(
  result: RunResult,
  lines: readonly LogLine[],
  spans: ReadonlyMap<string, Span>,
): RunResult {
  const findings = result.findings.map((finding) => {
    const logs = linesOf(finding, lines, spans);
    return logs.length === 0 ? finding : { ...finding, logs };
  });
  return { ...result, findings };
}

/** `container.log`: one line each, with its time of arrival and its container. */
export function renderContainerLog(lines: readonly LogLine[]): string {
  return lines
    .map(({ at, container, text }) => `${new Date(at).toISOString()}  ${container}  ${text}\n`)
    .join('');
}

function linesOf(
  { exchanges }: Finding,
  lines: readonly LogLine[],
  spans: ReadonlyMap<string, Span>,
): NonNullable<Finding['logs']> {
  const own = exchanges.flatMap((id) => spans.get(id) ?? []);
  return lines
    .filter(({ at }) => own.some(({ from, to }) => at >= from && at <= to + graceMs))
    .slice(-mostLines)
    .map(({ at, container, text }) => ({ at: new Date(at).toISOString(), container, text }));
}
