import { createHash } from 'node:crypto';
import type { Exchange } from '../../core/evidence.ts';
import { responseValue } from '../kernel/answer.ts';
import { memberOf, responseOf } from '../kernel/body.ts';
import { holds, violated } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { RecentMap } from '../kernel/recentMap.ts';
import * as is from '../../spec/kernel/value.ts';
import { noSamples, sampleOf, type Sample } from '../kernel/sample.ts';

const requirement = 'FLA-SUB-029';
const conflicts: readonly unknown[] = ['CALLBACK_ALREADY_REGISTERED', 'EXTERNAL_FID_ALREADY_REGISTERED'];

/** Number of subscribes that are remembered: simultaneous ones are answered close together. */
const mostRecent = 2000;

/** Simultaneous identical flight subscribes count as one: none is refused because of another. */
export const oneSubscription: Oracle = {
  id: 'one-subscription',
  title:
    'Of simultaneous identical flight subscribes none is told that the other has registered something else',
  verifies: [requirement],
  createWatch: () => {
    const recent = new RecentMap<string, readonly Exchange[]>(mostRecent);
    return { exchange: (exchange) => judge(exchange, recent) };
  },
};

function judge(exchange: Exchange, recent: Map<string, readonly Exchange[]>): readonly Sample[] {
  const { operation, key, request } = exchange;
  if (operation !== 'fla.subscribe' || key === null || request.body === null) return noSamples;
  const name = `${key}/${createHash('sha1').update(request.body).digest('base64')}`;
  const others = recent.get(name) ?? [];
  recent.set(name, [...others, exchange].slice(-8));
  const rivals = others.filter((other) => overlaps(other, exchange));
  const accepted = [...rivals, exchange].find((one) => responseOf(one)?.status === 200);
  // Where another address was registered before, all of them are refused.
  if (rivals.length === 0 || accepted === undefined) return noSamples;
  const refused = [exchange, ...rivals].find(isConflict);
  if (refused === undefined) return [sampleOf(requirement, holds)];
  const judgement = violated('conflict', {
    at: 'answer',
    want: { kind: 'answer', status: 200, note: 'for simultaneous identical subscribes' },
    got: is.noted(responseValue(refused), 'and 200 for another'),
    because: [accepted, refused],
  });
  return [{ ...sampleOf(requirement, judgement), evidence: [refused, accepted] }];
}

function isConflict(exchange: Exchange): boolean {
  return responseOf(exchange)?.status === 409 && conflicts.includes(memberOf(exchange, 'error'));
}

function overlaps({ timings: one }: Exchange, { timings: other }: Exchange): boolean {
  return one.sent < other.received && other.sent < one.received;
}
