import { z } from 'zod';
import { isObject, objectOf, responseOf, type JsonObject } from '../../kernel/body.ts';
import type { Oracle, OracleJudgement } from '../../kernel/oracle.ts';
import { isRejectedJourney } from '../records.ts';
import { requestObject } from '../../kernel/request.ts';
import { describeValue, rule } from '../../kernel/rule.ts';
import { breaks, keeps, noSamples } from '../../kernel/sample.ts';

const frame = rule(
  'WCI-UPD-031',
  z.object({
    type: z.enum(['passengers', 'pnr']),
    operation: z.literal('update'),
    data: z.custom(isObject, 'an object'),
  }),
);

/** The frame of an update answer. */
export const updateAnswer: Oracle = {
  id: 'update-answer',
  title: 'An update answered with 200 names its type and operation and shows the record',
  verifies: [frame.requirement, 'WCI-UPD-050'],
  createOracle: () => (exchange) => {
    if (exchange.operation !== 'wci.update' || responseOf(exchange)?.status !== 200) return noSamples;
    const body = objectOf(exchange);
    if (!body || isRejectedJourney(exchange)) return noSamples;
    return [frame.judge(body), ...judgeType(requestObject(exchange.request), body)];
  },
};

function judgeType(request: JsonObject | null, { type }: JsonObject): readonly OracleJudgement[] {
  const made = request && kindOf(request);
  if (!made || (type !== 'passengers' && type !== 'pnr')) return [];
  if (type === made) return [keeps('WCI-UPD-050')];
  return [
    breaks('WCI-UPD-050', 'type', `type is ${made}, as the update was`, `type is ${describeValue(type)}`),
  ];
}

/** What kind of update a request asks for; null where type and data leave room for two readings. */
function kindOf({ type, passengers, pnr, payload }: JsonObject): 'passengers' | 'pnr' | null {
  const inner = isObject(payload) ? payload : {};
  const hasPassengers = passengers !== undefined || inner.passengers !== undefined;
  const hasPnr = pnr !== undefined || inner.pnr !== undefined;
  if (hasPassengers && !hasPnr) return type === undefined || type === 'passengers' ? 'passengers' : null;
  return hasPnr && !hasPassengers && type === 'pnr' ? 'pnr' : null;
}
