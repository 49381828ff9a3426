import { readFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { usageError } from '../core/errors.ts';
import { fingerprintPattern, requirementOf, type Finding } from '../engine/findings/finding.ts';
import { causesOf } from './causes.ts';
import type { RequirementResult, RunResult } from './result.ts';

const fingerprintShape = 'expected a fingerprint such as WCI-STS-004.1a2b3c4d';

const fingerprint = z.string(fingerprintShape).regex(fingerprintPattern, fingerprintShape);

const entry = z.strictObject({
  fingerprint,
  /** Further failures of the same cause. */
  also: z.array(fingerprint, 'expected a list of fingerprints').optional(),
  /** The check that found each of them, and how often that exercised the requirement then. */
  foundBy: z
    .record(fingerprint, z.strictObject({ check: z.string().min(1), samples: z.int().min(0) }))
    .optional(),
  reason: z.string('expected a reason').trim().min(1, 'expected a reason'),
  date: z.iso.date('expected a date such as 2026-01-31'),
});

/** A baseline file as written. */
export const baselineSchema = z
  .array(entry, 'expected a list of {fingerprint, reason, date}')
  .nullable()
  .transform((entries) => entries ?? []);

/** A known failure: reported, but it does not fail the gate. */
export type BaselineEntry = Readonly<z.infer<typeof entry>>;

interface BaselineOutcome {
  readonly findings: Finding[];
  readonly requirements: RequirementResult[];
  /** Fingerprints of entries whose requirement passed, by what found them: they fail the gate. */
  readonly stale: readonly string[];
  /** Those whose check did not run, or not as often as then. */
  readonly unseen: readonly string[];
}

/** Reads a baseline file; throws a GatecheckError with code `BASELINE` and exit code 2. */
export async function readBaseline(path: string): Promise<readonly BaselineEntry[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw refusal(path, reasonOf(cause));
  });
  return parseBaseline(text, path);
}

/**
 * The baseline after a run, with an entry for each cause: what still fails or was not judged keeps its reason and date; what is
 * new joins the entry of its cause, or gets its own with the given reason; without one it is left out.
 */
export function renewBaseline(
  entries: readonly BaselineEntry[],
  { findings, requirements }: Pick<RunResult, 'findings' | 'requirements'>,
  added: Pick<BaselineEntry, 'reason' | 'date'> | null,
): readonly BaselineEntry[] {
  const stale = new Set(applyBaseline(entries, findings, requirements).stale);
  const kept = entries.map((one) => ({
    ...{ reason: one.reason, date: one.date },
    known: fingerprintsOf(one).filter((each) => !stale.has(each)),
  }));
  const known = new Set(kept.flatMap((one) => one.known));
  const renewed = kept.filter((one) => one.known.length > 0);
  for (const { lead, others } of causesOf({ findings, requirements })) {
    const failing = new Set([lead, ...others].map((finding) => finding.fingerprint));
    const fresh = [...failing].filter((each) => !known.has(each));
    const home = renewed.find((one) => one.known.some((each) => failing.has(each)));
    if (home !== undefined) home.known.push(...fresh);
    else if (fresh.length > 0 && added !== null) renewed.push({ ...added, known: fresh });
    if (home !== undefined || added !== null) fresh.forEach((each) => known.add(each));
  }
  const foundBy = { ...foundIn(entries), ...whatFound(findings, requirements) };
  return renewed.map(({ reason, date, known }) => {
    const [first = '', ...also] = known;
    const found = known.flatMap((one) => (foundBy[one] === undefined ? [] : [[one, foundBy[one]] as const]));
    return {
      fingerprint: first,
      ...(also.length > 0 ? { also } : {}),
      reason,
      date,
      ...(found.length > 0 ? { foundBy: Object.fromEntries(found) } : {}),
    };
  });
}

function foundIn(entries: readonly BaselineEntry[]): FoundBy {
  return Object.assign({}, ...entries.map((one) => one.foundBy)) as FoundBy;
}

/** What found the failures of a run, and how often it exercised their requirements. */
function whatFound(findings: readonly Finding[], requirements: readonly RequirementResult[]): FoundBy {
  const rows = new Map(requirements.map((row) => [row.id, row]));
  const found = findings.flatMap(({ fingerprint: one, requirement, check }) => {
    const samples = rows.get(requirement)?.judgedBy?.[check];
    return samples === undefined ? [] : [[one, { check, samples }] as const];
  });
  return Object.fromEntries(found);
}

/** The text of a baseline file: JSON if its name says so, else YAML. */
export function renderBaseline(entries: readonly BaselineEntry[], path: string): string {
  return path.endsWith('.json') ? `${JSON.stringify(entries, null, 2)}\n` : stringify([...entries]);
}

/** Parses YAML or JSON; `path` only names the file in an error. An empty file is an empty baseline. */
export function parseBaseline(text: string, path: string): readonly BaselineEntry[] {
  const parsed = baselineSchema.safeParse(parseYaml(text, path));
  if (!parsed.success) throw refusal(path, parsed.error.issues.map(describe).join('; '));
  const twice = duplicate(parsed.data);
  if (twice !== undefined) throw refusal(path, `it contains ${twice} twice`);
  return parsed.data;
}

/** Marks the findings that the baseline lists, and the requirements that have no others. */
export function applyBaseline(
  entries: readonly BaselineEntry[],
  findings: readonly Finding[],
  requirements: readonly RequirementResult[],
): BaselineOutcome {
  const listed = entries.flatMap(fingerprintsOf);
  const known = new Set(listed);
  const marked = findings.map((finding) => ({ ...finding, baselined: known.has(finding.fingerprint) }));
  const byRequirement = Map.groupBy(marked, ({ requirement }) => requirement);
  const failing = new Set(findings.map((finding) => finding.fingerprint));
  const rows = new Map(requirements.map((row) => [row.id, row]));
  const foundBy = foundIn(entries);
  const states = Map.groupBy(listed, (one) => {
    const row = rows.get(requirementOf(one));
    if (row === undefined || failing.has(one) || row.verdict === 'fail' || row.verdict === 'warn')
      return null;
    return row.verdict === 'pass' && isLookedAt(row, foundBy[one]) ? 'stale' : 'unseen';
  });
  return {
    findings: marked,
    requirements: requirements.map((row) => ({ ...row, baselined: isKnown(row, byRequirement.get(row.id)) })),
    stale: states.get('stale') ?? [],
    unseen: states.get('unseen') ?? [],
  };
}

type FoundBy = Readonly<NonNullable<BaselineEntry['foundBy']>>;

/** In other runs, generated cases and chance traffic make a few samples less. */
const nearlyAll = 0.9;

/** Whether what had found a failure ran, about as often as then. Where nobody noted what that was, it may be any of the checks. */
function isLookedAt(
  { judgedBy = {}, checks }: RequirementResult,
  found: FoundBy[string] | undefined,
): boolean {
  if (found === undefined) return checks.every((check) => judgedBy[check] !== undefined);
  return (judgedBy[found.check] ?? 0) >= Math.max(1, found.samples * nearlyAll);
}

/** All fingerprints of an entry. */
export function fingerprintsOf({ fingerprint, also = [] }: BaselineEntry): readonly string[] {
  return [fingerprint, ...also];
}

function isKnown(row: RequirementResult, findings: readonly Finding[] = []): boolean {
  const failed = row.verdict === 'fail' || row.verdict === 'warn';
  return failed && findings.length > 0 && findings.every(({ baselined }) => baselined);
}

function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw refusal(path, reasonOf(cause));
  }
}

/** The first line of an error: YAML adds the text around its place. */
function reasonOf(cause: unknown): string {
  const [first = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  return first.replace(/[.:]$/, '');
}

function describe(issue: z.core.$ZodIssue): string {
  const [index, ...rest] = issue.path;
  const place =
    index === undefined
      ? ''
      : `entry ${Number(index) + 1}${rest.map((name) => `, ${String(name)}`).join('')}: `;
  return `${place}${issue.message}`;
}

function duplicate(entries: readonly BaselineEntry[]): string | undefined {
  const seen = new Set<string>();
  return entries.flatMap(fingerprintsOf).find((one) => seen.size === seen.add(one).size);
}

function refusal(path: string, why: string) {
  return usageError(
    'BASELINE',
    `Expected the baseline ${path} to be a list of {fingerprint, reason, date}: ${why}.`,
    'Copy the fingerprint from result.json, and give a reason and the date of today.',
  );
}
