import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import { faultRows, type Fault } from '../../spec/grammar/readForms.ts';
import { responseValue } from '../kernel/answer.ts';
import { violated } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';
import * as is from '../../spec/kernel/value.ts';
import { faultOfInput, isTaken, shownValue } from './sentInputs.ts';

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

function accepted(exchange: Exchange, { rule, at, value }: Fault): Sample {
  const want = is.refusedFor(at, shownValue(at, value));
  return sampleOf(rule, violated('accepted', { at: 'answer', want, got: responseValue(exchange) }));
}
