import type { JournalLine } from '../../send/journalLine.ts';
import type { StateLine } from '../page/pageData.ts';
import { keyText } from '../text/sender.ts';

/** A state that the deployment was put into, as reports show it; null for any other line. */
export function stateLineOf(line: JournalLine): StateLine | null {
  // Journals of older versions hold it as an event.
  if (line.type === 'event') return line.name === 'state-set' ? (line as StateLine) : null;
  if (line.type !== 'step' || ['entitlement.get', 'callbacks.pending'].includes(line.operation)) return null;
  const { operation: state, params, startedAt, durationMs, error } = line;
  return {
    ...{ type: 'event', name: 'state-set', at: new Date(Date.parse(startedAt) + durationMs).toISOString() },
    data: { state, params: JSON.stringify(params).slice(0, longestShown), error },
  };
}

const longestShown = 4000;

/** The same with whose key each issued one is, by its label. */
export function withOwners(line: StateLine, owners: ReadonlyMap<string, string>): StateLine {
  const { params } = line.data;
  const named = params.replace(/(?<=‹key )issued[^›]*(?=›)/g, (label) =>
    keyText(label, owners.get(label) ?? null),
  );
  return { ...line, data: { ...line.data, params: named } };
}
