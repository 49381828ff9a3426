import type { LogLine } from '../target/target.ts';
import type { Finding } from '../engine/finding.ts';
import type { RunResult } from './result.ts';

/** When something was under way, in epoch ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A line is written and travels while the answer does: it may come a little later. */
const graceMs = 100;
const mostLines = 40;

/** The lines that came while the exchanges of a finding were under way, beside that finding. */
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

/** `container.log`: a line each, with the time of its arrival and the container that wrote it. */
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
