import type { ExchangeLine } from '../../send/journalLine.ts';
import type { Finding } from '../../engine/finding.ts';
import { causesOf } from '../causes.ts';
import { readLines } from '../har/readLines.ts';
import { decisiveOf, momentsOf } from '../page/moments.ts';
import type { Contrast, PageEvidence } from '../page/pageData.ts';
import type { RunResult } from '../result.ts';
import { differencesOf, distanceOf, featuresOf, type Features } from './likeness.ts';

/** Causes that are compared, and comparisons altogether: a report is not to wait for them. */
const most = { causes: 20, comparisons: 60_000, differences: 6 };
/** Requests that are less alike say nothing. */
const farthest = 12;

interface Sought {
  readonly finding: Finding;
  readonly own: ReadonlySet<string>;
  readonly operation: string;
  readonly isDue: (status: number) => boolean;
  readonly features: Features;
  best: { readonly distance: number; readonly line: ExchangeLine } | null;
}

/**
 * For findings whose status is wrong, the most alike request of the run that was answered as it is due: what the two
 * differ in is where to look. By fingerprint.
 */
export async function findContrasts(
  path: string,
  result: RunResult,
  evidence: Pick<PageEvidence, 'lines' | 'states'>,
): Promise<Readonly<Record<string, Contrast>>> {
  const sought = causesOf(result)
    .slice(0, most.causes)
    .flatMap(({ lead }) => soughtFor(lead, evidence));
  if (sought.length === 0) return {};
  let comparisons = 0;
  for await (const text of readLines(path)) {
    if (comparisons > most.comparisons) break;
    const operation = head.exec(text)?.[1];
    const open = sought.filter((one) => one.operation === operation);
    if (open.length === 0) continue;
    const line = parse(text);
    const status = line?.response?.status;
    if (line === null || status === undefined) continue;
    const fitting = open.filter(({ own, isDue }) => isDue(status) && !own.has(line.id));
    if (fitting.length === 0) continue;
    comparisons += fitting.length;
    const features = featuresOf(line);
    for (const one of fitting) {
      // A request of the same check is made to be compared.
      const distance = distanceOf(one.features, features) - (line.check === one.finding.check ? 0.5 : 0);
      if (distance <= farthest && (one.best === null || distance < one.best.distance))
        one.best = { distance, line };
    }
  }
  return Object.fromEntries(
    sought.flatMap(({ finding, features, best }) =>
      best === null ? [] : [[finding.fingerprint, contrastWith(features, best.line)]],
    ),
  );
}

const head = /^\{"type":"exchange",.{0,200}?"operation":"([^"]+)"/;

function parse(text: string): ExchangeLine | null {
  try {
    return JSON.parse(text) as ExchangeLine;
  } catch {
    return null;
  }
}

function soughtFor(finding: Finding, evidence: Pick<PageEvidence, 'lines' | 'states'>): Sought[] {
  const isDue = statusDue(finding);
  const id = isDue === null ? null : decisiveOf(finding, momentsOf(finding, evidence));
  const line = evidence.lines[id ?? ''];
  if (isDue === null || line?.type !== 'exchange' || line.operation === null) return [];
  if (line.response === null || isDue(line.response.status)) return [];
  const { operation } = line;
  return [
    { finding, operation, isDue, own: new Set(finding.exchanges), features: featuresOf(line), best: null },
  ];
}

/** Which statuses a finding says are due; null where it is not about the status. */
export function statusDue({
  expected,
  actual,
}: Pick<Finding, 'expected' | 'actual'>): ((status: number) => boolean) | null {
  if (!/^HTTP \d{3}/.test(actual)) return null;
  const named = [...expected.slice(0, 500).matchAll(/\bHTTP (\d)(\d\d|xx)/g)].map(
    ([, kind, rest]) => `${kind}${rest}`,
  );
  if (named.length > 0)
    return (status) => named.some((one) => one === String(status) || one === `${Math.floor(status / 100)}xx`);
  if (/\brefus|\breject/i.test(expected)) return (status) => status === 400 || status === 422;
  return /\baccept/i.test(expected) ? (status) => status === 200 : null;
}

function contrastWith(features: Features, line: ExchangeLine): Contrast {
  const all = differencesOf(features, featuresOf(line));
  return {
    id: line.id,
    check: line.check,
    answer: `HTTP ${line.response?.status ?? ''}`,
    differences: all.slice(0, most.differences),
    more: Math.max(0, all.length - most.differences),
  };
}
