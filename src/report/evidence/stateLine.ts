import type { JournalLine } from '../../send/journalLine.ts';
import type { StateLine } from '../page/pageData.ts';

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
