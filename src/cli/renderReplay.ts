import type { Palette } from '../core/palette.ts';
import type { Finding } from '../engine/findings/finding.ts';
import type { EvidenceById } from '../report/evidence/readEvidence.ts';
import { bodyLines } from '../report/page/jsonView.ts';
import { bodyText, targetOf } from '../report/page/moments.ts';
import { bodyDiff } from '../report/terminal/bodyDiff.ts';
import { oneLine, shorten } from '../report/text/printable.ts';
import type { ReplayedStep, ReplayOutput } from '../run/replay.ts';
import type { ExchangeLine } from '../send/journalLine.ts';

const mostLines = 20;

/** The outcome of a replay for people: a line per step, with the answer if it changed, and for the last step. */
export function renderReplay(
  finding: Finding,
  { verdict, reason, steps }: ReplayOutput,
  { evidence, palette }: { readonly evidence: EvidenceById; readonly palette: Palette },
): string {
  const paint = { FIXED: palette.green, FAILS: palette.red, DIFFERS: palette.yellow }[verdict];
  const before = answersThen(finding, steps, evidence);
  const lines = steps.flatMap((step, index) => {
    const { request, then, now } = step;
    const answers =
      then === now ? (then ?? '') : `${then ?? 'no such step'}, now ${now ?? 'not sent again by itself'}`;
    const isLast = index === steps.length - 1;
    return [
      oneLine(`  ${index + 1}. ${request}  ${answers}`),
      ...renderBody(before[index] ?? null, step, isLast).map((line) => `       ${painted(line, palette)}`),
    ];
  });
  return [
    `${palette.bold(paint(verdict))}  ${finding.fingerprint}`,
    `  ${oneLine(shorten(reason, 1000))}`,
    ...lines,
    '',
  ].join('\n');
}

/** The difference from the answer of the run; for the last step, the answer itself if there is none. */
function renderBody(then: string | null, { body }: ReplayedStep, isLast: boolean): readonly string[] {
  if (body === null || body === '') return [];
  const changes = then === null ? [] : bodyDiff(then, body).map(({ sign, text }) => `${sign} ${text}`);
  if (changes.length > 0) return cut(changes);
  if (!isLast) return [];
  return cut(bodyLines(shorten(body, 100_000), null).map(({ text }) => `  ${oneLine(shorten(text, 160))}`));
}

function cut(lines: readonly string[]): readonly string[] {
  const rest = lines.length - mostLines;
  return rest > 0 ? [...lines.slice(0, mostLines), `  … ${rest} more lines`] : lines;
}

function painted(line: string, { red, green, dim }: Palette): string {
  if (line.startsWith('-')) return red(line);
  return line.startsWith('+') ? green(line) : dim(line);
}

/** The answers of the run to the steps: each step takes the next exchange of the run with the same request. */
function answersThen(
  { exchanges }: Finding,
  steps: readonly ReplayedStep[],
  evidence: EvidenceById,
): readonly (string | null)[] {
  const lines = exchanges
    .map((id) => evidence.get(id))
    .filter((line): line is ExchangeLine => line?.type === 'exchange');
  let next = 0;
  return steps.map(({ request }) => {
    const found = lines.findIndex(
      (line, index) => index >= next && request === `${line.request.method} ${targetOf(line.request.url)}`,
    );
    if (found < 0) return null;
    next = found + 1;
    return bodyText(lines[found]?.response?.body ?? null);
  });
}
