import { journalLineOf, type ExchangeLine } from '../../send/journalLine.ts';
import { operationIds } from '../../core/operations.ts';
import { sentInputs } from '../../judge/shared/sentInputs.ts';
import { exchangeOf } from '../../send/lineExchange.ts';
import type { Finding } from '../../engine/findings/finding.ts';
import { causesOf } from '../causes.ts';
import { answersDue, type Shown } from '../member.ts';
import { readLines } from '../har/readLines.ts';
import { bodyText, decisiveOf, momentsOf } from '../page/moments.ts';
import type { Contrast, PageEvidence } from '../page/pageData.ts';
import type { RunResult } from '../result.ts';
import { differencesOf, distanceOf, featuresOf, type Features } from './likeness.ts';

/** Most causes and comparisons: a report must not wait for them. */
const most = { causes: 20, comparisons: 60_000, differences: 6 };
/** Greatest distance: requests that are less alike say nothing. */
const farthest = 12;

interface Sought {
  readonly finding: Finding;
  readonly own: ReadonlySet<string>;
  readonly operation: string;
  readonly isDue: (status: number) => boolean;
  /** The code that the answer must have, as spelled in a body. */
  readonly code: string | null;
  readonly features: Features;
  /** The faults of the request: one with others says nothing about them. */
  readonly faults: string;
  best: { readonly distance: number; readonly line: ExchangeLine } | null;
}

/**
 * For findings with a wrong status, the most similar request of the run that was answered correctly: the difference between the
 * two is where to look. By fingerprint.
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
    const line = journalLineOf(text);
    if (line?.type !== 'exchange') continue;
    const status = line.response?.status;
    if (status === undefined) continue;
    const said = bodyText(line.response?.body ?? null);
    const fitting = open.filter(
      ({ own, isDue, code }) => isDue(status) && !own.has(line.id) && (code === null || said.includes(code)),
    );
    if (fitting.length === 0) continue;
    comparisons += fitting.length;
    const features = featuresOf(line);
    for (const one of fitting) {
      // A request of the same check is made for comparison.
      if (faultsIn(line) !== one.faults) continue;
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

function soughtFor(finding: Finding, evidence: Pick<PageEvidence, 'lines' | 'states'>): Sought[] {
  const isDue = statusDue(finding);
  const id = isDue === null ? null : decisiveOf(finding, momentsOf(finding, evidence));
  const line = evidence.lines[id ?? ''];
  if (isDue === null || line?.type !== 'exchange' || line.operation === null) return [];
  if (line.response === null || isDue(line.response.status)) return [];
  const { operation } = line;
  const own = new Set(finding.exchanges);
  const code = codeDue(finding);
  const [features, faults] = [featuresOf(line), faultsIn(line)];
  return [{ finding, operation, isDue, code, own, features, faults, best: null }];
}

/** The forms for which a service may refuse a request, each with its member in whichever element. */
function faultsIn(line: ExchangeLine): string {
  const operation = operationIds.find((id) => id === line.operation) ?? null;
  const { features = [] } = sentInputs(exchangeOf(line, { operation })) ?? {};
  const faults = features.filter(({ kind }) => kind === 'fault' || kind === 'lacking');
  return [...new Set(faults.map(({ name, at }) => `${name} ${at.replaceAll(/\[\d+\]/g, '[]')}`))].join();
}

/** Two refusals with the same status but different codes are different answers. */
function codeDue({ want }: Finding): string | null {
  const code = want?.kind === 'answer' ? want.code : undefined;
  return code === undefined ? null : `"${code}"`;
}

/** Which statuses a finding says are due; null if it is not about the status. */
export function statusDue(finding: Shown): ((status: number) => boolean) | null {
  const { want, got } = finding;
  if (got?.kind !== 'answer') return null;
  const named = want?.kind === 'statuses' ? want.statuses : answersDue(finding).map(({ status }) => status);
  if (named.length > 0) return (status) => named.includes(status);
  if (want?.kind === 'refused') return (status) => status === 400 || status === 422;
  const isAccepted = want?.kind === 'accepted' || want?.kind === 'other-than';
  return isAccepted ? (status) => status === 200 : null;
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
