import { senderText } from './text/sender.ts';
import type { Finding, StoredCase, StoredDelivery, StoredStep } from '../engine/findings/finding.ts';

/** One request of a failing case, for reading. */
interface Step {
  /** `POST /extPartner/api/webcheckin/update with primary#1: HTTP 200` */
  readonly line: string;
  readonly body: string | null;
}

/** The requests of the stored failing case, in order; empty if the finding has no case. */
export function stepsOf(finding: Finding): readonly Step[] {
  const steps = listIn(finding, 'steps', (step) => 'target' in step) as readonly StoredStep[];
  return steps.map(({ method, target, key, enterprise, body, status, code }) => {
    const answer = status === null ? 'no answer' : `HTTP ${status}${code === null ? '' : ` ${code}`}`;
    return { line: `${method} ${target} ${senderText(key, enterprise ?? null)}: ${answer}`, body };
  });
}

/** The callbacks that showed a finding, in order of arrival: as received, and what the sink answered. */
export function callbacksOf(finding: Finding): readonly Step[] {
  const isDelivery = (one: object) => 'headers' in one && Array.isArray(one.headers);
  const deliveries = listIn(finding, 'deliveries', isDelivery) as readonly StoredDelivery[];
  return deliveries.map(({ id, method, target, headers, body, answer }) => ({
    line: `${id}: ${method} ${target}, answered ${answer}`,
    body: [...headers.map(([name, value]) => `${name}: ${value}`), '', body].join('\n'),
  }));
}

/** A list of the stored case; empty if it is not a case. Without a schema, since the report page has none. */
function listIn(
  { case: stored }: Finding,
  name: keyof StoredCase,
  isOne: (one: object) => boolean,
): readonly object[] {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return [];
  const list: unknown = stored[name];
  if (!Array.isArray(list)) return [];
  const all = list.filter(
    (one): one is object => typeof one === 'object' && one !== null && isOne(one as object),
  );
  return all.length === list.length ? all : [];
}
