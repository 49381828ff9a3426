import { readLines } from '../har/readLines.ts';
import type { DeliveryLine, ExchangeLine } from '../../send/journalLine.ts';
import type { Finding } from '../../engine/finding.ts';

/** What was on the wire, by the ids of exchanges and callbacks. */
export type EvidenceById = ReadonlyMap<string, ExchangeLine | DeliveryLine>;

export const noEvidence: EvidenceById = new Map();

const head = /^\{"type":"(?:exchange|delivery)","id":"([^"]+)"/;

/**
 * Reads from a journal what is wanted of it; only those lines are parsed, however long it is. What is not in it, and a
 * journal that cannot be read, is no error: there is less to show then.
 */
export async function loadEvidence(path: string, wanted: ReadonlySet<string>): Promise<EvidenceById> {
  const found = new Map<string, ExchangeLine | DeliveryLine>();
  if (wanted.size === 0) return found;
  try {
    for await (const line of readLines(path)) {
      const id = head.exec(line)?.[1];
      if (id === undefined || !wanted.has(id)) continue;
      found.set(id, JSON.parse(line) as ExchangeLine | DeliveryLine);
      if (found.size === wanted.size) break;
    }
  } catch {
    return found;
  }
  return found;
}

/** Ids of what findings rest on: all but the middle of very long cases. */
export function evidenceOf(findings: readonly Finding[], most = 40): ReadonlySet<string> {
  return new Set(
    findings.flatMap(({ exchanges, decisive }) => [
      ...exchanges.slice(0, most / 2),
      ...exchanges.slice(-most / 2),
      ...(decisive === undefined ? [] : [decisive]),
    ]),
  );
}
