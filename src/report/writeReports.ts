import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAllure } from './allure/allureResults.ts';
import { renderCtrf } from './ci/ctrf.ts';
import { collectEvidence } from './evidence/collectEvidence.ts';
import { EvidencePages, exchangesPerPage } from './evidence/evidencePages.ts';
import { readEvidence } from './evidence/readEvidence.ts';
import { writeHar } from './har/writeHar.ts';
import { keepHistory } from './history/history.ts';
import { noEvidence, type EvidenceLine, type PageEvidence } from './page/pageData.ts';
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
  await writeText(join(dir, reportFiles.result), `${JSON.stringify(result, null, 2)}\n`);
  const { times } = await readEvidence(join(dir, reportFiles.evidence), new Set());
  const evidence = await shownOf(result, dir);
  const history = await keepHistory(result, dir);
  const rendered = [
    [reportFiles.junit, () => renderJUnit(result, times, evidence)],
    [reportFiles.markdown, () => renderMarkdown(result, evidence)],
    [reportFiles.ctrf, () => renderCtrf(result, times, evidence)],
    [reportFiles.html, () => renderHtml(result, evidence, history)],
  ] as const;
  for (const [name, render] of rendered) await writeText(join(dir, name), render());
  await writeAllure(result, { evidence, times }, join(dir, allureFolder));
  const har = await writeEvidence(dir, result.tool.version);
  return [join(dir, reportFiles.result), ...rendered.map(([name]) => join(dir, name)), ...har];
}

/** Collects what reports show of the evidence, and writes all of it as pages. */
async function shownOf(result: RunResult, dir: string): Promise<PageEvidence> {
  const evidence = join(dir, reportFiles.evidence);
  if (!(await exists(evidence))) return noEvidence;
  const pages = new EvidencePages(dir);
  await pages.begin();
  const onLine = (line: EvidenceLine) => pages.add(line);
  const shown = await collectEvidence(evidence, result, { perPage: exchangesPerPage, onLine });
  await pages.end();
  return shown;
}

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
