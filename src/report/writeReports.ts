import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAllure } from './allure/writeAllure.ts';
import { renderCtrf } from './ci/ctrf.ts';
import { collectEvidence } from './evidence/collectEvidence.ts';
import { EvidencePages, exchangesPerPage } from './evidence/evidencePages.ts';
import { evidenceIdsOf, readEvidence } from './evidence/readEvidence.ts';
import { writeHar } from './har/writeHar.ts';
import { keepHistory } from './history/historyFile.ts';
import { noEvidence, type EvidenceLine } from './page/pageData.ts';
import { renderHtml } from './renderHtml.ts';
import { renderJUnit } from './renderJUnit.ts';
import { renderMarkdown } from './renderMarkdown.ts';
import { allureFolder, reportFiles } from './reportDir.ts';
import type { RunResult } from './result.ts';
import { writeText } from './writeWhole.ts';

/**
 * Writes every report of a run into its directory, each completely or not at all; the HAR only if there is evidence. The result
 * comes first, so that it exists whatever happens to the others. Returns the absolute paths.
 */
export async function writeReports(result: RunResult, dir: string): Promise<readonly string[]> {
  const ids = evidenceIdsOf(result.findings);
  const evidence = await readEvidence(join(dir, reportFiles.evidence), ids, mostAttached);
  const rendered = [
    [reportFiles.result, () => `${JSON.stringify(result, null, 2)}\n`],
    [reportFiles.junit, () => renderJUnit(result, evidence.times)],
    [reportFiles.markdown, () => renderMarkdown(result)],
    [reportFiles.ctrf, () => renderCtrf(result, evidence.times)],
  ] as const;
  for (const [name, render] of rendered) await writeText(join(dir, name), render());
  const page = await writePage(result, dir);
  await writeAllure(result, evidence, join(dir, allureFolder));
  const har = await writeEvidence(dir, result.tool.version);
  return [...rendered.map(([name]) => join(dir, name)), page, ...har];
}

/** Writes the report, and next to it the evidence as pages. */
async function writePage(result: RunResult, dir: string): Promise<string> {
  const evidence = join(dir, reportFiles.evidence);
  const path = join(dir, reportFiles.html);
  const history = await keepHistory(result, dir);
  if (!(await exists(evidence)))
    return writeText(path, renderHtml(result, noEvidence, history)).then(() => path);
  const pages = new EvidencePages(dir);
  await pages.begin();
  const onLine = (line: EvidenceLine) => pages.add(line);
  const shown = await collectEvidence(evidence, result, { perPage: exchangesPerPage, onLine });
  await pages.end();
  await writeText(path, renderHtml(result, shown, history));
  return path;
}

/** Most characters of a body in what is attached to a result; `evidence.ndjson` has it whole. */
const mostAttached = 100_000;

async function writeEvidence(dir: string, version: string): Promise<string[]> {
  const evidence = join(dir, reportFiles.evidence);
  const har = join(dir, reportFiles.har);
  if (!(await exists(evidence))) return [];
  await writeHar(evidence, har, version);
  return [har];
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
