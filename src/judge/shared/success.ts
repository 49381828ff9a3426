import { checkinOperations } from '../../core/operations.ts';
import type { Exchange, RecordedResponse } from '../../core/evidence.ts';
import { bodyOf, headerOf, isObject, objectOf, responseOf } from '../kernel/body.ts';
import { holds, differs, judgementOf } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { isRejectedJourney } from '../../spec/world/sights.ts';
import { noObject, wrongType } from './bodyForms.ts';
import * as is from '../../spec/kernel/value.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';

/** The frame of a successful web check-in answer. */
export const success: Oracle = {
  id: 'success',
  title: 'A successful web check-in answer is a JSON object with success true',
  verifies: ['SHR-ERR-028', 'SHR-ERR-029', 'SHR-ERR-034'],
  operations: checkinOperations,
  answers: 'accepted',
  judges: 'answers',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  const response = responseOf(exchange);
  if (response?.status !== 200 || response.truncated || !exchange.operation?.startsWith('wci.'))
    return noSamples;
  const frame = judgeFrame(response);
  return frame.judgement.status === 'holds' ? [frame, ...judgeSuccess(exchange)] : [frame];
}

function judgeFrame(response: RecordedResponse): Sample {
  const body = bodyOf(response);
  if (body.kind === 'none' || !isObject(body.value))
    return sampleOf('SHR-ERR-028', judgementOf(noObject(body)));
  const { success: value } = body.value;
  if (typeof value !== 'boolean')
    return sampleOf('SHR-ERR-028', differs('shape', 'success', is.type('boolean'), is.value(value)));
  const type = headerOf(response, 'content-type');
  return isApplicationJson(type)
    ? sampleOf('SHR-ERR-028', holds)
    : sampleOf('SHR-ERR-028', judgementOf(wrongType(type)));
}

/** `application/json` itself, with any parameters. */
export function isApplicationJson(contentType: string | null): boolean {
  return contentType !== null && /^\s*application\/json\s*(;|$)/i.test(contentType);
}

function judgeSuccess(exchange: Exchange): readonly Sample[] {
  const body = objectOf(exchange);
  const requirement = requirementOf(exchange, body?.message);
  if (!body || requirement === null) return noSamples;
  if (body.success === true) return [sampleOf(requirement, holds)];
  return [sampleOf(requirement, differs('shape', 'success', is.oneOf(true), is.value(body.success)))];
}

/** A rejected journey may say false; for a message that is not documented, the documents require nothing. */
function requirementOf(exchange: Exchange, message: unknown): string | null {
  if (isRejectedJourney(exchange)) return null;
  if (exchange.operation !== 'wci.subscribe' || message === 'SCHEDULED') return 'SHR-ERR-029';
  return message === 'ALREADY_SUBSCRIBED' ? 'SHR-ERR-034' : null;
}
