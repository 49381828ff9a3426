import { createHash } from 'node:crypto';
import type { Exchange } from '../../core/evidence.ts';
import { isAccepted } from '../kernel/answer.ts';
import { memberOf } from '../kernel/body.ts';
import { holds, violated } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { callOf } from '../../trace/call.ts';
import { describeValue } from '../kernel/rule.ts';
import * as is from '../../spec/kernel/value.ts';
import { noSamples, sampleOf, type Sample } from '../kernel/sample.ts';

const requirement = 'WCI-SUB-021';

/** Number of bookings that are remembered: simultaneous subscribes of one booking are answered close together. */
const mostRecent = 2000;

/** Simultaneous identical subscribes make one record, in any order. */
export const oneBooking: Oracle = {
  id: 'one-booking',
  title: 'Simultaneous identical subscribes of an enterprise make one record',
  verifies: [requirement],
  createWatch: () => {
    const recent = new Map<string, Exchange[]>();
    return { exchange: (exchange) => judge(exchange, recent) };
  },
};

function judge(exchange: Exchange, recent: Map<string, Exchange[]>): readonly Sample[] {
  const name = nameOf(exchange);
  if (name === null || !isAccepted(exchange)) return noSamples;
  const others = recent.get(name) ?? [];
  recent.delete(name);
  recent.set(name, [...others, exchange].slice(-8));
  const [oldest] = recent.keys();
  if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
  const rivals = others.filter((other) => overlaps(other, exchange));
  if (rivals.length === 0) return noSamples;
  const id = memberOf(exchange, 'checkin_id');
  const rival = rivals.find((other) => memberOf(other, 'checkin_id') !== id);
  if (!rival) return [sampleOf(requirement, holds)];
  const words = `${show(rival)} and ${show(exchange)}`;
  const judgement = violated('two-records', {
    at: 'checkin_id',
    want: is.text('the same checkin_id for both'),
    got: is.counted(words, [rival.id, exchange.id]),
    because: [rival, exchange],
  });
  return [
    {
      ...sampleOf(requirement, judgement),
      evidence: [exchange, rival],
    },
  ];
}

/** The same bytes by the same enterprise; only with a record locator, without which two bookings may differ. */
function nameOf(exchange: Exchange): string | null {
  const { operation, enterprise, request } = exchange;
  if (operation !== 'wci.subscribe' || enterprise === null || request.body === null) return null;
  const call = callOf(exchange);
  // Whether a part of that name is read is open (WCI-OPN-005).
  const pnr = call?.carrier === 'multipart' ? undefined : call?.body?.pnr;
  if (typeof pnr !== 'string' || !/^[A-Z0-9]{6}$/.test(pnr)) return null;
  return `${enterprise}/${createHash('sha1').update(request.body).digest('base64')}`;
}

function overlaps({ timings: one }: Exchange, { timings: other }: Exchange): boolean {
  return one.sent < other.received && other.sent < one.received;
}

function show(exchange: Exchange): string {
  return `${describeValue(memberOf(exchange, 'message'))} ${describeValue(memberOf(exchange, 'checkin_id'))}`;
}
