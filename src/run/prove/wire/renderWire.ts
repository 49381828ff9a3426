import { plainPalette, type Palette } from '../../../core/palette.ts';
import { alarmed, isWireProved, type WireProof } from './wireProof.ts';

/** Longest part of a reason that fits on a line of a terminal. */
const longestReason = 300;

/** The proof of the wire as data. */
export function renderWireJson(proof: WireProof): string {
  const { variations, onTarget } = proof;
  const clean = variations.length - alarmed(variations).length;
  const summary = { variations: variations.length, clean };
  return `${JSON.stringify({ schemaVersion: 2, proved: isWireProved(proof), summary, onTarget, variations }, null, 2)}\n`;
}

/** The proof of the wire for a terminal: totals and alarms. */
export function renderWireConsole(proof: WireProof, palette: Palette = plainPalette): string {
  const blocks = [
    [markOf(proof, palette), ...wireSummary(proof).map((line) => `  ${line}`)],
    alarmLines(proof),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The totals in sentences. */
export function wireSummary({ variations, onTarget = [] }: WireProof): readonly string[] {
  const clean = variations.length - alarmed(variations).length;
  return [...onTarget, `${clean} of ${variations.length} variations without an alarm`];
}

function markOf(proof: WireProof, { green, red, yellow }: Palette): string {
  const isTarget = proof.onTarget !== undefined;
  if (isWireProved(proof)) return green(`✓ ${isTarget ? 'NO ALARM' : 'PROVED'}`);
  if (proof.variations.length === 0) return yellow('? NOTHING TRIED');
  return red(`✗ ${isTarget ? 'ALARM' : 'NOT PROVED'}`);
}

function alarmLines({ variations }: WireProof): readonly string[] {
  return alarmed(variations).flatMap(({ job, alarms }) => [
    `variation ${job}`,
    ...alarms.map(({ row, status, reason }) => `  ${row} ${status}: ${reason.slice(0, longestReason)}`),
  ]);
}
