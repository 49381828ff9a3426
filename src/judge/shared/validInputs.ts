import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import { faultRows, firstFault, type Feature } from '../../spec/grammar/readForms.ts';
import { responseValue } from '../kernel/answer.ts';
import { differs } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';
import * as is from '../../spec/kernel/value.ts';
import { faultOfInput, isSought, isTaken, sentInputs, shownValue } from './sentInputs.ts';

const flightOperations: readonly OperationId[] = ['fla.lookup', 'fla.subscribe'];

/** What breaks a rule under every reading is not accepted, whoever sends it. */
export const validInputs = faultsRefused(
  'valid-inputs',
  'A booking or an update that is accepted breaks no rule for its members',
  ['wci.subscribe', 'wci.update', 'wci.status'],
);

/** What comes before the search for a flight is not the reason why it is not found; a callback may be looked at afterwards. */
export const validFlightInputs: Oracle = {
  id: 'valid-flight-inputs',
  title: 'A lookup or a flight subscribe that is accepted breaks no rule for its inputs',
  operations: flightOperations,
  verifies: [...new Set(flightOperations.flatMap(faultRows))],
  createWatch: () => ({
    exchange: (exchange) => {
      const isOwn = flightOperations.includes(exchange.operation ?? 'wci.list');
      const isFound = isOwn && isTaken(exchange);
      if (!isFound && !(isOwn && isSought(exchange))) return noSamples;
      const features = sentInputs(exchange)?.features ?? [];
      const judged = isFound ? features : features.filter(({ at }) => !at.startsWith('callbackData'));
      const fault = firstFault(judged) ?? judged.find(isDoubtful);
      return fault ? [accepted(exchange, fault)] : noSamples;
    },
  }),
};

/** Readers differ, and the catalogue has it that it should be refused. */
function isDoubtful({ kind, rule }: Feature): boolean {
  return kind === 'open' && rule !== null;
}

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

function accepted(exchange: Exchange, { rule, at, value }: Feature): Sample {
  const want = is.refusedFor(at, shownValue(at, value));
  return sampleOf(rule ?? '', differs('accepted', 'answer', want, responseValue(exchange)));
}
