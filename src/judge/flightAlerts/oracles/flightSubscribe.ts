import type { Exchange, RecordedResponse } from '../../../core/evidence.ts';
import {
  bareObjectOf,
  headerOf,
  isObject,
  objectOf,
  responseOf,
  type Json,
  type JsonObject,
} from '../../kernel/body.ts';
import { requestedLeg, type LegRequest } from '../../../spec/world/legs.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { describeValue } from '../../kernel/rule.ts';
import { returnsNoKey } from '../returnedKey.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';

/** What a flight subscribe answers about the leg that was asked for. */
export const flightSubscribe: Oracle = {
  id: 'flight-subscribe',
  title:
    'A flight subscribe answered with 200 has success true and shows the requested leg; a refused one returns no key',
  verifies: ['FLA-SUB-001', 'FLA-SUB-002', 'FLA-SUB-039', 'FLA-SUB-042'],
  operations: ['fla.subscribe'],
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  const response = responseOf(exchange);
  if (exchange.operation !== 'fla.subscribe' || !response || response.truncated) return noSamples;
  // A failure of upstream may leave a registration behind (FLA-OPN-019), and then it may return the key.
  if (response.status >= 400 && response.status < 500)
    return [sampleOf('FLA-SUB-042', returnsNoKey(exchange))];
  if (response.status !== 200) return noSamples;
  const [bare, body] = [bareObjectOf(exchange), objectOf(exchange)];
  if (!bare || !body)
    return [sampleOf('FLA-SUB-001', violated('shape', 'a JSON object with success true', 'no JSON object'))];
  return [judgeSuccess(bare), judgeType(response), ...judgeLeg(exchange, body)];
}

function judgeSuccess({ success }: JsonObject): Sample {
  if (success === true) return sampleOf('FLA-SUB-001', holds);
  return sampleOf(
    'FLA-SUB-001',
    violated('shape', 'success is true', `success is ${describeValue(success)}`),
  );
}

function judgeType(response: RecordedResponse): Sample {
  const type = headerOf(response, 'content-type');
  if (type !== null && /^\s*application\/json\s*(;|$)/i.test(type)) return sampleOf('FLA-SUB-039', holds);
  const actual = type === null ? 'no Content-Type' : `Content-Type ${type}`;
  return sampleOf('FLA-SUB-039', violated('content-type', 'Content-Type application/json', actual));
}

function judgeLeg(exchange: Exchange, body: JsonObject): readonly Sample[] {
  const requested = requestedLeg(exchange);
  const leg = body.latest_status_snapshot;
  if (!requested || !isObject(leg)) return [];
  const wrong = (['departure', 'arrival'] as const).find((end) => isOther(leg[end], requested, end));
  if (wrong) {
    const expected = `the leg from ${requested.departure} to ${requested.arrival}`;
    return [
      sampleOf('FLA-SUB-002', violated('leg', expected, `${wrong} is ${describeValue(codeOf(leg[wrong]))}`)),
    ];
  }
  return codeOf(leg.departure) && codeOf(leg.arrival) ? [sampleOf('FLA-SUB-002', holds)] : [];
}

function isOther(end: Json | undefined, requested: LegRequest, which: 'departure' | 'arrival'): boolean {
  const code = codeOf(end);
  return code !== null && code !== requested[which];
}

/** A missing value is null or blank, and says nothing about the leg. */
function codeOf(end: Json | undefined): string | null {
  const code = isObject(end) ? end.airportIata : null;
  return typeof code === 'string' && code.trim() !== '' ? code.trim().toUpperCase() : null;
}
