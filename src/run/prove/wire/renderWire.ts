import { plainPalette, type Palette } from '../../../core/palette.ts';
import type { VariationResult } from './variationJob.ts';
import { alarmed } from './wireProof.ts';

/** Of a reason, as much as a line of a terminal has room for. */
const longestReason = 300;

/** The proof of the wire for a terminal. */
export function renderWireConsole(
  results: readonly VariationResult[],
  palette: Palette = plainPalette,
): string {
  const wrong = alarmed(results);
  const mark = wrong.length === 0 ? palette.green('✓ PROVED') : palette.red('✗ NOT PROVED');
  const lines = wrong.flatMap(({ job, alarms }) => [
    `variation ${job}`,
    ...alarms.map(({ row, status, reason }) => `  ${row} ${status}: ${reason.slice(0, longestReason)}`),
  ]);
  return [
    mark,
    `  ${results.length - wrong.length} of ${results.length} variations clean`,
    ...lines,
    '',
  ].join('\n');
}
