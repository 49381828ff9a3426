import { checkinOperations } from '../../../core/operations.ts';
import { formRows, judgeForms } from '../../../spec/rules/recordForms.ts';
import { sightsIn } from '../../../spec/world/sights.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOfSaid, type Sample } from '../../kernel/sample.ts';

/** The members of a booking as one answer shows them. */
export const recordForms: Oracle = {
  id: 'record-shape',
  replaces: ['record-states', 'timestamps'],
  title: 'A record has all its members in their forms, and they fit together, wherever it is shown',
  verifies: formRows,
  operations: checkinOperations,
  answers: 'accepted',
  judges: 'answers',
  createWatch: () => ({
    exchange: (exchange) => {
      const sights = sightsIn(exchange);
      if (sights.length === 0) return noSamples;
      const samples: Sample[] = [];
      for (const sight of sights) judgeForms(sight, (said) => void samples.push(sampleOfSaid(said)));
      return samples;
    },
  }),
};
