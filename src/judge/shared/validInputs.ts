import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import type { Asked } from '../../spec/grammar/form.ts';
import { faultRows, firstFault, type Fault } from '../../spec/grammar/readForms.ts';
import { describeResponse } from '../kernel/answer.ts';
import { objectOf, responseOf, type JsonObject } from '../kernel/body.ts';
import { violated } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { queryMembers, requestHeader, requestObject } from '../../trace/sent.ts';
import { describeValue } from '../kernel/rule.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';
import { sentParts } from '../kernel/sentParts.ts';

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
export function faultOfInput({ operation, request }: Exchange): Fault | null {
  const read = operation && readers[operation];
  const sent = read ? read(request) : null;
  return sent && operation ? firstFault(sent.members, { operation, carrier: sent.carrier }) : null;
}

interface Sent {
  readonly members: JsonObject;
  readonly carrier: Asked['carrier'];
}

type Read = (request: Exchange['request']) => Sent | null;

const readers: Readonly<Partial<Record<OperationId, Read>>> = {
  'wci.subscribe': bodyOrParts,
  'wci.update': bodyOrParts,
  'wci.status': parameters,
  'fla.lookup': parameters,
  'fla.subscribe': body,
};

function body(request: Exchange['request']): Sent | null {
  if (!/^application\/json\b/i.test(requestHeader(request, 'content-type') ?? '')) return null;
  const members = requestObject(request);
  return members && { members, carrier: 'json' };
}

function bodyOrParts(request: Exchange['request']): Sent | null {
  const type = requestHeader(request, 'content-type') ?? '';
  if (!type.startsWith('multipart/form-data')) return body(request);
  const parts = sentParts(request);
  return parts && { members: parts.members, carrier: 'multipart' };
}

function parameters(request: Exchange['request']): Sent {
  return { members: queryMembers(request), carrier: 'query' };
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
