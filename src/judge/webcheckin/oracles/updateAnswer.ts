import type { Exchange } from '../../../core/evidence.ts';
import { z } from 'zod';
import { bareObjectOf, isObject, responseOf, type JsonObject } from '../../kernel/body.ts';
import { equals } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { isRejectedJourney } from '../../../spec/world/sights.ts';
import { callOf } from '../../../trace/call.ts';
import { rule } from '../../kernel/rule.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';

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
  operations: ['wci.update'],
  answers: 'accepted',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  if (exchange.operation !== 'wci.update' || responseOf(exchange)?.status !== 200) return noSamples;
  const body = bareObjectOf(exchange);
  if (!body || isRejectedJourney(exchange)) return noSamples;
  return [frame.judge(body), ...judgeType(callOf(exchange)?.body ?? null, body)];
}

function judgeType(request: JsonObject | null, { type }: JsonObject): readonly Sample[] {
  const made = request && kindOf(request);
  if (!made || (type !== 'passengers' && type !== 'pnr')) return [];
  return [sampleOf('WCI-UPD-050', equals('type', 'type', made, type, 'as the update was'))];
}

/** The kind of update that a request asks for; null if type and data allow two readings. */
function kindOf({ type, passengers, pnr, payload }: JsonObject): 'passengers' | 'pnr' | null {
  const inner = isObject(payload) ? payload : {};
  const hasPassengers = passengers !== undefined || inner.passengers !== undefined;
  const hasPnr = pnr !== undefined || inner.pnr !== undefined;
  if (hasPassengers && !hasPnr) return type === undefined || type === 'passengers' ? 'passengers' : null;
  return hasPnr && !hasPassengers && type === 'pnr' ? 'pnr' : null;
}
