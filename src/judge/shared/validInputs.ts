import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import { faultRows, firstFault, type Fault } from '../../spec/grammar/readForms.ts';
import { callOf } from '../../trace/call.ts';
import { describeResponse } from '../kernel/answer.ts';
import { objectOf, responseOf } from '../kernel/body.ts';
import { violated } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { describeValue } from '../kernel/rule.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';

/** What breaks a rule under every reading is not accepted, whoever sends it. */
export const validInputs = faultsRefused(
  'valid-inputs',
  'A booking or an update that is accepted breaks no rule for its members',
  ['wci.subscribe', 'wci.update', 'wci.status'],
);

export const validFlightInputs = faultsRefused(
  'valid-flight-inputs',
  'A lookup or a flight subscribe that is accepted breaks no rule for its inputs',
  ['fla.lookup', 'fla.subscribe'],
);

function faultsRefused(id: string, title: string, operations: readonly OperationId[]): Oracle {
  return {
    ...{ id, title, operations },
    verifies: [...new Set(operations.flatMap(faultRows))],
    answers: 'accepted',
    createWatch: () => ({
      exchange: (exchange) => {
        const isOwn = operations.includes(exchange.operation ?? 'wci.list');
        const fault = isOwn && isTaken(exchange) ? faultOfInput(exchange) : null;
        return fault ? [accepted(exchange, fault)] : noSamples;
      },
    }),
  };
}

/** The first rule for its inputs that a request breaks, whatever was answered; null if there is none, or if it cannot be read in one way. */
export function faultOfInput(exchange: Exchange): Fault | null {
  const call = callOf(exchange);
  if (!call || call.op === 'wci.list' || call.carrier === 'unread') return null;
  const sent = call.carrier === 'query' ? call.query : call.body;
  return sent && firstFault(sent, { operation: call.op, carrier: call.carrier });
}

/** A repeated subscribe may be recognised by its booking before the rest of it is looked at. */
function isTaken(exchange: Exchange): boolean {
  if (responseOf(exchange)?.status !== 200) return false;
  const answer = objectOf(exchange);
  if (exchange.operation === 'wci.subscribe') return answer?.message === 'SCHEDULED';
  return exchange.operation?.startsWith('fla.') === true || answer?.success === true;
}

function accepted(exchange: Exchange, { rule, at, value }: Fault): Sample {
  const shown =
    at.endsWith('auth_header') && typeof value === 'string' ? '"the value"' : describeValue(value);
  const judgement = violated('accepted', `a refusal of ${at} ${shown}`, describeResponse(exchange));
  return sampleOf(rule, judgement);
}
