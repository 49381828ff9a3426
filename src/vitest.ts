// What a program may import from 'gatecheck/vitest', with the optional peer vitest.

import { beforeAll, describe, test, type TestContext } from 'vitest';
import { loadCatalogue } from './catalogue/loadCatalogue.ts';
import type { CatalogueRow } from './catalogue/row.ts';
import { exitCodes } from './core/errors.ts';
import { readSuites } from './engine/session/suites.ts';
import { isAskedFor } from './plan/makePlan.ts';
import type { RequirementResult, RunResult } from './report/result.ts';
import { shorten } from './report/text/printable.ts';
import { run, type RunOptions } from './run/run.ts';
import type { Config } from './settings/configSchema.ts';
import { resolveSettings } from './settings/settings.ts';

/** What is known only once the tests have begun: the rest of the config, and the options of `run`. */
export interface Begun extends RunOptions {
  readonly config?: Config;
}

/**
 * Registers a test for each requirement that `config` selects (`apis`, `only`), in a `describe` for each section of the documents,
 * and one for the gate. A broken requirement fails, an undecided must fails, a warning is an annotation, and what was not judged is
 * skipped with the reason. One run of Gatecheck judges all; it starts before the first test, after `begin`, which may start the
 * server and return its address. Errors of settings fail every test.
 */
export function conformance(config: Config, begin: () => Begun | Promise<Begun> = () => ({})): void {
  describe('conformance', async () => {
    const rows = await rowsOf(config);
    const running = Promise.withResolvers<RunResult>();
    beforeAll(() => {
      running.resolve(resultOf(config, begin));
      // A test says what is wrong with it.
      return running.promise.then(
        () => undefined,
        () => undefined,
      );
    }, 0);
    for (const [section, inIt] of Map.groupBy(rows, sectionOf))
      describe(section, () => {
        for (const { id, title } of inIt)
          test(`${id} ${title}`, async (context) => show(context, await running.promise, id));
      });
    test('the gate is met', async () => requireGate(await running.promise));
  });
}

async function rowsOf({ apis, only = [] }: Config): Promise<readonly CatalogueRow[]> {
  const [{ requirements, openPoints }, checks] = [loadCatalogue(), await readSuites()];
  const names = [only].flat();
  return [...requirements, ...openPoints].filter(
    ({ id, api }) =>
      (api === 'shared' || apis === undefined || apis.includes(api)) && isAskedFor(id, checks, names),
  );
}

async function resultOf(config: Config, begin: () => Begun | Promise<Begun>): Promise<RunResult> {
  const { config: rest = {}, ...options } = await begin();
  const { result } = await run(resolveSettings({ ...config, ...rest }), options);
  return result;
}

function sectionOf({ source: [first] }: CatalogueRow): string {
  return first === undefined ? 'everything' : `${first.document} > ${first.section}`;
}

async function show(
  { skip, annotate }: TestContext,
  { requirements, findings }: RunResult,
  id: string,
): Promise<void> {
  const row = requirements.find((one) => one.id === id);
  const finding = findings.find(({ requirement }) => requirement === id);
  const told =
    finding === undefined ? (row?.reason ?? '') : `${finding.message}\n${finding.reproduce.curl ?? ''}`;
  const text = shorten(told.trim(), longest);
  if (isFailure(row)) throw failureOf(`${id} ${row?.verdict ?? ''}: ${text}`);
  if (row?.verdict === 'warn') await annotate(text, 'warning');
  const isJudged = row !== undefined && ['pass', 'warn', 'observed'].includes(row.verdict);
  if (!isJudged) skip(row?.baselined === true ? 'a known failure' : text || 'not part of this run');
}

/** Findings of one requirement may fill a few screens. */
const longest = 10_000;

function isFailure(row: RequirementResult | undefined): boolean {
  if (row === undefined || row.baselined) return false;
  return row.verdict === 'fail' || (row.verdict === 'inconclusive' && row.level === 'must');
}

function requireGate({ summary }: RunResult): void {
  if (summary.exitCode === exitCodes.ok) return;
  throw failureOf(`exit code ${summary.exitCode}: ${(summary.reasons ?? []).join(' ')}`);
}

/** A failure without a position in Gatecheck's code, which means nothing to those whose server is judged. */
function failureOf(message: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}`;
  return error;
}
