import type { Exchange } from '../../../core/evidence.ts';
import { objectOf, responseOf, type JsonObject } from '../../kernel/body.ts';
import { describeResponse } from '../../kernel/answer.ts';
import { violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { requestHeader, requestObject } from '../../kernel/request.ts';
import { describeValue } from '../../kernel/rule.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import { bookingFault } from '../bookingFaults.ts';
import type { Fault } from '../fault.ts';
import { updateFault } from '../updateFaults.ts';

/** What breaks a rule under every reading is not accepted, whoever sends it. */
export const validInputs: Oracle = {
  id: 'valid-inputs',
  title: 'A booking or an update that is accepted breaks no rule for its members',
  verifies: [
    ...numbered(
      'WCI-SUB',
      [24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 35, 39, 47, 48, 52, 55, 56, 58, 63, 68, 69],
    ),
    ...numbered('WCI-DT', [5, 15, 16, 17, 18, 20, 23, 32]),
    ...numbered('WCI-CBR', [1, 2, 8, 9, 10, 11, 12]),
    ...numbered('WCI-UPD', [15, 16, 17, 20, 22, 23, 25, 48, 49]),
  ],
  operations: ['wci.subscribe', 'wci.update'],
  answers: 'accepted',
  createWatch: () => ({
    exchange: (exchange) => {
      const fault = isTaken(exchange) ? faultOfInput(exchange) : null;
      return fault ? [accepted(exchange, fault)] : noSamples;
    },
  }),
};

/** The first rule for its members that a booking or an update breaks, whatever was answered; null if there is none. */
export function faultOfInput({ operation, request }: Exchange): Fault | null {
  const faultOf = readers[operation ?? ''];
  if (!faultOf || !/^application\/json\b/i.test(requestHeader(request, 'content-type') ?? '')) return null;
  const body = requestObject(request);
  return body && faultOf(body);
}

const readers: Readonly<Record<string, (body: JsonObject) => Fault | null>> = {
  'wci.subscribe': bookingFault,
  'wci.update': updateFault,
};

/** A repeated subscribe may be recognised by its booking before the rest of it is looked at. */
function isTaken(exchange: Exchange): boolean {
  if (responseOf(exchange)?.status !== 200) return false;
  const answer = objectOf(exchange);
  return exchange.operation === 'wci.subscribe' ? answer?.message === 'SCHEDULED' : answer?.success === true;
}

function accepted(exchange: Exchange, { requirement, at, value }: Fault): Sample {
  const expected = `a refusal of ${at} ${describeValue(value)}`;
  return sampleOf(requirement, violated('accepted', expected, describeResponse(exchange)));
}

function numbered(area: string, numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => `${area}-${String(number).padStart(3, '0')}`);
}
