import type { Exchange } from '../../../core/evidence.ts';
import { objectOf, responseOf } from '../../kernel/body.ts';
import { digestOf } from '../../kernel/digest.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { requestObject } from '../../kernel/request.ts';
import { noSamples, sampleOf } from '../../kernel/sample.ts';
import { RecentMap } from '../../kernel/recentMap.ts';

/** What the first subscribe of such data was answered. */
interface Seen {
  readonly complete: boolean;
  readonly by: string;
}

/** The same flights and passengers are always complete or always incomplete, for any enterprise and pnr. */
export const sameReadiness: Oracle = {
  id: 'same-readiness',
  title: 'New bookings of the same flights and passengers are as complete as each other',
  verifies: ['WCI-SUB-005', 'WCI-SUB-014'],
  operations: ['wci.subscribe'],
  answers: 'accepted',
  createWatch: () => {
    const seen = new RecentMap<string, Seen>();
    return {
      exchange: (exchange) => {
        const now = newBooking(exchange);
        if (!now) return noSamples;
        const before = seen.get(now.data);
        if (!before) seen.set(now.data, { complete: now.complete, by: exchange.id });
        if (!before) return noSamples;
        const requirement = before.complete ? 'WCI-SUB-005' : 'WCI-SUB-014';
        if (before.complete === now.complete) return [sampleOf(requirement, holds)];
        const words = (complete: boolean) =>
          complete ? 'missing_info []' : 'a missing_info that is not empty';
        const expected = `${words(before.complete)}, as ${before.by} of the same flights and passengers`;
        return [sampleOf(requirement, violated('readiness', expected, words(now.complete)))];
      },
      forgotten: () => seen.forgotten,
    };
  },
};

function newBooking(exchange: Exchange): { readonly data: string; readonly complete: boolean } | null {
  if (exchange.operation !== 'wci.subscribe' || responseOf(exchange)?.status !== 200) return null;
  const [sent, answer] = [requestObject(exchange.request), objectOf(exchange)];
  if (!sent || answer?.message !== 'SCHEDULED' || !Array.isArray(answer.missing_info)) return null;
  if (typeof sent.pnr !== 'string' || !/^[A-Z][A-Z0-9]{5}$/.test(sent.pnr)) return null;
  const data = digestOf(sent.flights, sent.passengers);
  return { data, complete: answer.missing_info.length === 0 };
}
