import type { Exchange, RecordedResponse } from '../../core/evidence.ts';
import { operations } from '../../core/operations.ts';
import { bodyOf, objectOf, responseOf, type Json, type JsonObject } from '../kernel/body.ts';
import { holds, type Judgement, differs, judgementOf } from '../kernel/judgement.ts';
import { nothingKnown, type Oracle } from '../kernel/oracle.ts';
import { noObject } from '../../spec/rules/bodyForms.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';
import { watchSharedHours } from './sharedHour.ts';
import { secondsOf, watchWaits } from './promisedWait.ts';
import * as is from '../../spec/kernel/value.ts';

/** What a refusal by the rate limit contains. */
export const rateLimited: Oracle = {
  id: 'rate-limited',
  title: 'A 429 is an error body that says for how many seconds to wait, and comes for the hour of the key',
  verifies: ['SHR-LIM-018', 'SHR-LIM-019', 'SHR-LIM-020', 'SHR-LIM-021', 'SHR-LIM-022', 'SHR-LIM-030'],
  createWatch: (known = nothingKnown) => {
    const waits = watchWaits(known);
    const sharedHours = known.isAlone && known.limits ? watchSharedHours(known.limits) : () => noSamples;
    return {
      exchange: (exchange) => {
        const [said, waited, shared] = [judge(exchange), waits(exchange), sharedHours(exchange)];
        return said === noSamples && waited === noSamples && shared === noSamples
          ? noSamples
          : [...said, ...waited, ...shared];
      },
    };
  },
};

function judge(exchange: Exchange): readonly Sample[] {
  const response = responseOf(exchange);
  if (response?.status !== 429 || !exchange.operation || response.truncated) return noSamples;
  const isCheckin = operations[exchange.operation].api === 'webcheckin';
  const body = objectOf(exchange);
  const retryAfter = body?.retryAfter ?? null;
  const samples = [judgePresence(isCheckin ? 'SHR-LIM-018' : 'SHR-LIM-019', response, retryAfter)];
  if (retryAfter !== null) samples.push(...judgeSeconds(retryAfter));
  samples.push(sampleOf(isCheckin ? 'SHR-LIM-022' : 'SHR-LIM-030', judgeBody(response, body)));
  return samples;
}

function judgePresence(requirement: string, response: RecordedResponse, retryAfter: Json): Sample {
  if (retryAfter !== null) return sampleOf(requirement, holds);
  const body = bodyOf(response);
  const got = body.kind === 'json' ? is.absent : is.text(body.why);
  return sampleOf(requirement, differs('retry-after', 'retryAfter', is.type('number'), got));
}

/** An hour is the longest window; a little more is rounding, a thousand times more is milliseconds. */
const longest = 3660;

/** What a 0 means depends on what comes after it. */
function judgeSeconds(retryAfter: Json): readonly Sample[] {
  const seconds = secondsOf(retryAfter);
  if (seconds === 0) return noSamples;
  if (seconds > 0 && seconds <= longest) return [sampleOf('SHR-LIM-020', holds)];
  const want = is.noted(is.type('positive number of seconds'), 'at most an hour');
  return [sampleOf('SHR-LIM-020', differs('seconds', 'retryAfter', want, is.value(retryAfter)))];
}

function judgeBody(response: RecordedResponse, body: JsonObject | null): Judgement {
  if (!body) return judgementOf(noObject(bodyOf(response)));
  const { success, error, message } = body;
  if (success === false && isText(error) && isText(message)) return holds;
  const want = is.text('a JSON object with success false, an error and a message');
  return differs('shape', 'body', want, is.value({ success, error, message }));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
