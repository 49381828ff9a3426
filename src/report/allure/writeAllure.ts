import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { variantTitle } from '../digest.ts';
import type { CheckTimes } from '../evidence/readEvidence.ts';
import type { ShownEvidence } from '../page/pageData.ts';
import type { RunResult } from '../result.ts';
import { headlineOf, headlineText } from '../headline.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { allureResults } from './allureResults.ts';
import { attachmentsOf } from './steps.ts';

/** Number of files that are written at once. */
const atOnce = 64;

/** Writes the results of a run in Allure's format, into a folder that contains nothing else afterwards. */
export async function writeAllure(
  result: RunResult,
  { evidence, times }: { readonly evidence: ShownEvidence; readonly times: ReadonlyMap<string, CheckTimes> },
  dir: string,
): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const files = [
    ...allureResults(result, evidence, times).map(
      (one) => [`${one.uuid}-result.json`, JSON.stringify(one)] as const,
    ),
    ...attachmentsOf(result.findings, evidence),
    ['environment.properties', environmentOf(result)] as const,
    ['categories.json', JSON.stringify(categories, null, 2)] as const,
  ];
  for (let start = 0; start < files.length; start += atOnce)
    await Promise.all(
      files.slice(start, start + atOnce).map(([name, text]) => writeFile(join(dir, name), text)),
    );
}

const categories = [
  { name: 'Rules of the documents that are broken', matchedStatuses: ['failed'] },
  { name: 'Rules that could not be judged', matchedStatuses: ['broken', 'unknown'] },
  { name: 'Not judged, or not applicable', matchedStatuses: ['skipped'] },
];

/** The target and its dialect, as Java properties. */
function environmentOf(result: RunResult): string {
  const { target, run, tool, openPoints } = result;
  const values: (readonly [string, string])[] = [
    ['Target', target.baseUrl ?? target.kind],
    ['Verdict', headlineText(headlineOf(result))],
    ['Profile', run.profile],
    ['Seed', String(run.seed)],
    ['Gatecheck', tool.version],
    ...openPoints.flatMap(({ id, observed, variants }) => {
      const seen = variantTitle(observed, variants);
      return seen === null ? [] : [[id, seen] as const];
    }),
  ];
  return values.map(([name, value]) => `${name}=${escaped(value)}\n`).join('');
}

function escaped(value: string): string {
  return oneLine(shorten(value, 300))
    .toWellFormed()
    .replaceAll('\\', '\\\\')
    .replace(/[^\x20-\x7e]/g, (character) =>
      [...Array(character.length).keys()]
        .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
        .join(''),
    );
}
