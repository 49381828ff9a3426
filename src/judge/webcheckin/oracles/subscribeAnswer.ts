import type { Exchange } from '../../../core/evidence.ts';
import { z } from 'zod';
import { isRejectedMessage } from '../../kernel/answer.ts';
import { bareObjectOf, memberOf, responseOf } from '../../kernel/body.ts';
import { holds, notApplicable, differs } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { rule } from '../../kernel/rule.ts';
import { noSamples, sampleOf, type Sample } from '../../kernel/sample.ts';
import * as is from '../../../spec/kernel/value.ts';

const always = [
  rule('WCI-SUB-009', z.object({ message: z.enum(['SCHEDULED', 'ALREADY_SUBSCRIBED', 'REJECTED']) })),
];
const accepted = [
  rule(
    'WCI-SUB-006',
    z.object({ checkin_id: z.string().refine((id) => id.trim() !== '', 'a non-empty string') }),
  ),
  rule('WCI-SUB-007', z.object({ booking_id: z.number() })),
  rule('WCI-SUB-008', z.object({ status_message: z.string() })),
];
const rejected = [
  rule('WCI-SUB-010', z.object({ reason: z.string().refine((text) => text.trim() !== '', 'a text') })),
];
const quota = rule(
  'WCI-SUB-011',
  z.object({ quota: z.object({ included_units: z.number(), consumed_units: z.number() }) }),
);

const units = 'WCI-QTA-009';

/** What a subscribe answered with 200 contains besides the record itself. */
export const subscribeAnswer: Oracle = {
  id: 'subscribe-answer',
  replaces: ['quota-snapshot'],
  title:
    'A subscribe answered with 200 has its documented members, and shows no more units consumed than included',
  verifies: [...[...always, ...accepted, ...rejected, quota].map(({ requirement }) => requirement), units],
  operations: ['wci.subscribe'],
  judges: 'answers',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  const status = responseOf(exchange)?.status;
  if (exchange.operation !== 'wci.subscribe') return noSamples;
  // The other of the two forms in which a journey is rejected.
  if (status === 422) return rejected.map(({ requirement }) => sampleOf(requirement, notApplicable));
  const body = status === 200 ? bareObjectOf(exchange) : null;
  if (!body) return noSamples;
  // A rejected journey has a reason and no record of its own, so nothing else is certain about its members.
  const rules = [...always, ...(isRejectedMessage(exchange) ? rejected : accepted)];
  const samples = rules.map((one) => one.judge(body));
  if (body.quota !== undefined && body.quota !== null)
    return [...samples, quota.judge(body), ...judgeUnits(exchange)];
  return [...samples, ...[quota.requirement, units].map((row) => sampleOf(row, notApplicable))];
}

/** No new booking is accepted beyond the quota. A repeated subscribe is served also after units were taken away. */
function judgeUnits(exchange: Exchange): readonly Sample[] {
  const [included, consumed] = ['included_units', 'consumed_units'].map((name) =>
    memberOf(exchange, 'quota', name),
  );
  if (typeof included !== 'number' || typeof consumed !== 'number' || isRejectedMessage(exchange)) return [];
  if (consumed <= included) return [sampleOf(units, holds)];
  // A negative number is a way to say unlimited.
  if (included < 0 || memberOf(exchange, 'message') !== 'SCHEDULED') return [];
  const want = is.pattern(`at most included_units, which is ${included}`);
  return [sampleOf(units, differs('overrun', 'quota.consumed_units', want, consumed))];
}
