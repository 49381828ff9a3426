import type { Exchange } from '../../../core/evidence.ts';
import { isObject, objectOf, responseOf, type Json, type JsonObject } from '../../kernel/body.ts';
import { digestOf } from '../../../trace/digest.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { callOf } from '../../../trace/call.ts';
import { formOf } from '../../kernel/formOf.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import { RecentMap } from '../../kernel/recentMap.ts';

/** What the first subscribe of such data was answered. */
interface Seen {
  readonly complete: boolean;
  readonly by: string;
}

/**
 * The same flights and passengers are always complete or always incomplete, for any enterprise and pnr, and by parts as well as
 * in JSON: of parts some may stay unread, but not of those by which a booking was complete before.
 */
export const sameReadiness: Oracle = {
  id: 'same-readiness',
  title: 'New bookings of the same flights and passengers are as complete as each other',
  verifies: ['WCI-SUB-005', 'WCI-SUB-014'],
  operations: ['wci.subscribe'],
  answers: 'accepted',
  createWatch: () => {
    const seen = new RecentMap<string, Seen>();
    const wholeForms = new Set([jsonForm]);
    return {
      exchange: (exchange) => {
        const now = newBooking(exchange);
        if (!now) return noSamples;
        const { data, form, complete } = now;
        if (complete && wholeForms.size < mostForms) wholeForms.add(form);
        const name = wholeForms.has(form) ? data : `${data} ${form}`;
        const before = seen.get(name);
        if (!before) seen.set(name, { complete, by: exchange.id });
        return before ? [judge(complete, before)] : noSamples;
      },
      forgotten: () => seen.forgotten,
    };
  },
};

/** All of JSON is read. */
const jsonForm = 'JSON';

/** More than any client sends. */
const mostForms = 1000;

function judge(complete: boolean, before: Seen): Sample {
  const requirement = before.complete ? 'WCI-SUB-005' : 'WCI-SUB-014';
  if (before.complete === complete) return sampleOf(requirement, holds);
  const words = (whole: boolean) => (whole ? 'missing_info []' : 'a missing_info that is not empty');
  const expected = `${words(before.complete)}, as ${before.by} of the same flights and passengers`;
  return sampleOf(requirement, violated('readiness', expected, words(complete)));
}

interface NewBooking {
  readonly data: string;
  readonly form: string;
  readonly complete: boolean;
}

function newBooking(exchange: Exchange): NewBooking | null {
  if (exchange.operation !== 'wci.subscribe' || responseOf(exchange)?.status !== 200) return null;
  const [call, answer] = [callOf(exchange), objectOf(exchange)];
  const sent = call?.body;
  const form = call?.carrier === 'multipart' ? formOf(call) : jsonForm;
  if (!sent || form === null || answer?.message !== 'SCHEDULED' || !Array.isArray(answer.missing_info))
    return null;
  if (typeof sent.pnr !== 'string' || !/^[A-Z][A-Z0-9]{5}$/.test(sent.pnr)) return null;
  return {
    data: digestOf(roughly(sent.flights), sent.passengers),
    form,
    complete: answer.missing_info.length === 0,
  };
}

/** What is missing does not depend on the hour of a flight; that papers have to be valid for a time is one reading. */
function roughly(flights: Json | undefined): Json | undefined {
  if (!Array.isArray(flights)) return flights;
  return (flights as readonly Json[]).map((leg) =>
    isObject(leg) ? { ...leg, departure_datetime: monthOf(leg), arrival_datetime: null } : leg,
  );
}

function monthOf({ departure_datetime: departure }: JsonObject): Json {
  return typeof departure === 'string' ? departure.trim().slice(0, 'YYYY-MM'.length) : null;
}
