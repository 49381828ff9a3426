import { withoutCommands } from '../../core/ciCommands.ts';
import type { Finding } from '../../engine/findings/finding.ts';
import { causesOf } from '../causes.ts';
import { gateOf, gateText } from '../gate.ts';
import type { RunResult } from '../result.ts';
import { findingState, findingStates } from '../states.ts';
import { plural } from '../text/format.ts';
import { printable, shorten } from '../text/printable.ts';
import { storyOf } from './storyOf.ts';

/** Most annotations of a kind that GitHub shows for each step. */
const most = 10;

/** Workflow commands that annotate a run on GitHub: one for each cause that the baseline does not list. */
export function renderAnnotations(result: RunResult): string {
  const rows = new Map(result.requirements.map((row) => [row.id, row]));
  const causes = causesOf(result).filter(({ lead }) => findingState(lead) !== 'known');
  const lines = findingStates.flatMap((state) => {
    const own = causes.filter(({ lead }) => findingState(lead) === state);
    const shown = own.length > most ? own.slice(0, most - 1) : own;
    const name = state === 'fail' ? 'error' : 'warning';
    return [
      ...shown.map(({ lead }) => command(name, titleOf(lead), storyOf(lead, rows.get(lead.requirement)))),
      ...(own.length > shown.length
        ? [command(name, 'Gatecheck', `${plural(own.length - shown.length, 'more cause')}: see the summary`)]
        : []),
    ];
  });
  const gate = gateOf(result.summary);
  const isShown = causes.some(({ lead }) => findingState(lead) === 'fail');
  if (gate !== null && gate.state !== 'met' && !isShown)
    lines.push(command('error', `Gatecheck: ${gateText(gate)}`, (result.summary.reasons ?? []).join('\n')));
  return lines.map((line) => `${line}\n`).join('');
}

/** The lines of GITHUB_OUTPUT, for the following steps. */
export function renderOutputs({ summary }: RunResult, reportDir: string): string {
  const values = {
    verdict: summary.verdict,
    gate: gateOf(summary)?.state ?? '',
    failed: summary.failed,
    'report-dir': reportDir,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${printable(String(value)).replaceAll('\n', ' ')}\n`)
    .join('');
}

function titleOf(finding: Finding): string {
  return `${findingState(finding)} ${finding.requirement} (${finding.check})`;
}

function command(name: 'error' | 'warning', title: string, text: string): string {
  // Other services, and older runners, take what begins with ## for a command anywhere in a line.
  const shown = escapeData(withoutCommands(printable(shorten(text, 3000))));
  return `::${name} title=${escapeData(withoutCommands(printable(shorten(title, 200))))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C')}::${shown}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
