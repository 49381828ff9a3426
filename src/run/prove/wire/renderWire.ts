import { plainPalette, type Palette } from '../../../core/palette.ts';
import { survivorsOf } from './outcomes.ts';
import { mapOf, sumsBy, sumsOf, type Sums } from './wireMap.ts';
import { alarmed, isWireProved, survivorGroups, type WireProof } from './wireProof.ts';

/** Longest part of a reason that fits on a line of a terminal. */
const longestReason = 300;
/** Most survivors that are shown on a terminal; the files have all. */
const mostShown = 25;

/** The proof of the wire as data, with the map. */
export function renderWireJson(proof: WireProof): string {
  const { variations, mutants, stale, onTarget } = proof;
  const summary = {
    variations: variations.length,
    clean: variations.length - alarmed(variations).length,
    ...sumsOf(mutants),
  };
  const map = mapOf(mutants);
  return `${JSON.stringify({ schemaVersion: 1, proved: isWireProved(proof), summary, onTarget, variations, stale, map, mutants }, null, 2)}\n`;
}

/** The proof of the wire for a terminal: totals, alarms, and what no check noticed, with how to reproduce it. */
export function renderWireConsole(proof: WireProof, palette: Palette = plainPalette): string {
  const mark = isWireProved(proof)
    ? palette.green(`✓ ${proof.onTarget ? 'NO ALARM' : 'PROVED'}`)
    : palette.red(`✗ ${proof.onTarget ? 'ALARM' : 'NOT PROVED'}`);
  const blocks = [
    [mark, ...wireSummary(proof).map((line) => `  ${line}`)],
    alarmLines(proof),
    contradictionLines(proof),
    proof.stale.map((pattern) => `no mutant fits the accepted pattern ${pattern}: remove it`),
    ...(proof.onTarget ? [noticedLines(proof)] : []),
    survivorLines(proof),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The totals in sentences. */
export function wireSummary({ variations, mutants, onTarget = [] }: WireProof): readonly string[] {
  return [
    ...onTarget,
    ...(variations.length === 0
      ? []
      : [
          `${variations.length - alarmed(variations).length} of ${variations.length} variations without an alarm`,
        ]),
    ...(mutants.length === 0
      ? []
      : [
          `mutants: ${sumLine(sumsOf(mutants))}`,
          ...[...sumsBy(mutants, ({ mutant }) => mutant.family)].map(
            ([name, sums]) => `  ${name}: ${sumLine(sums)}`,
          ),
          ...[...sumsBy(mutants, ({ mutant }) => mutant.about)].map(
            ([name, sums]) => `  ${name}: ${sumLine(sums)}`,
          ),
        ]),
  ];
}

function sumLine(sums: Sums): string {
  const { score, noticed, undecided, accepted, idle } = sums;
  const share = score === null ? 'none counts' : `${score.toFixed(1)} % noticed`;
  const open = noticed + undecided + sums.missed;
  return `${share} (${noticed} of ${open}; ${undecided} undecided, ${missedIn(sums)}), ${accepted} accepted, ${idle} without effect`;
}

/** How many were missed, and for how many of them a must only warned. */
export function missedIn({ missed, warned }: Pick<Sums, 'missed' | 'warned'>): string {
  return `${missed} missed${warned === 0 ? '' : `, of which ${warned} merely warned`}`;
}

function alarmLines({ variations }: WireProof): readonly string[] {
  return alarmed(variations).flatMap(({ job, alarms }) => [
    `variation ${job}`,
    ...alarms.map(({ row, status, reason }) => `  ${row} ${status}: ${reason.slice(0, longestReason)}`),
  ]);
}

function contradictionLines({ mutants }: WireProof): readonly string[] {
  return mutants
    .filter(({ contradicts }) => contradicts)
    .map(({ mutant, rows }) => `${rows.join(', ')} fails over a mutant that is accepted: ${mutant.id}`);
}

/** What this set-up notices, by place, with the row that noticed it. */
function noticedLines({ mutants }: WireProof): readonly string[] {
  const noticed = mutants.filter(({ outcome }) => outcome === 'noticed');
  if (noticed.length === 0) return [];
  const left = noticed.length - mostShown;
  return [
    `${noticed.length} mutants are noticed by this set-up:`,
    ...noticed.slice(0, mostShown).map(({ mutant, rows }) => `  ${mutant.id}: ${rows.join(', ')}`),
    ...(left > 0 ? [`  … and ${left} more in the report`] : []),
  ];
}

function survivorLines({ mutants }: WireProof): readonly string[] {
  const survivors = survivorsOf(mutants);
  if (survivors.length === 0) return [];
  const groups = survivorGroups(mutants).slice(0, mostShown);
  return [
    `${survivors.length} mutants were not noticed, by place:`,
    ...groups.map(([name, some]) => `  ${some.length} × ${name}: ${operatorsOf(some)}`),
    ...warnedLines(survivors),
    'To try one again: add --mutant ID, with an id of the report.',
  ];
}

/** A check that warns has seen the mistake: it should have seen it twice. */
function warnedLines(survivors: WireProof['mutants']): readonly string[] {
  return survivors
    .filter(({ outcome }) => outcome === 'warned')
    .slice(0, mostShown)
    .map(({ mutant, rows }) => `  ${rows.join(', ')} merely warned over ${mutant.id}`);
}

function operatorsOf(survivors: WireProof['mutants']): string {
  const all = survivors.map(({ mutant: { operator, condition } }) =>
    condition === 'always' ? operator : `${operator}@${condition}`,
  );
  return all.length > 8 ? `${all.slice(0, 8).join(' ')} …` : all.join(' ');
}
