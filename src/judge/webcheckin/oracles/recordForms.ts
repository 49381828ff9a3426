import { checkinOperations } from '../../../core/operations.ts';
import { Findings } from '../../../spec/kernel/findings.ts';
import { answerRows, judgeAnswer } from '../../../spec/rules/answerForms.ts';
import { formRows, judgeForms } from '../../../spec/rules/recordForms.ts';
import { sightsIn } from '../../../spec/world/sights.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { sampleOfSaid, samplesOfFindings } from '../../kernel/sample.ts';

/** The members of an answer, and of each booking in it, as one answer shows them. */
export const recordForms: Oracle = {
  id: 'record-shape',
  replaces: [
    ...['record-states', 'timestamps', 'subscribe-answer', 'quota-snapshot', 'update-answer', 'list-answer'],
    ...['success', 'error-context'],
  ],
  title: 'An answer and each record in it have all their members in their forms, and they fit together',
  verifies: [...formRows, ...answerRows],
  operations: checkinOperations,
  judges: 'answers',
  createWatch: () => ({
    exchange: (exchange) => {
      const findings = new Findings();
      judgeAnswer(exchange, findings);
      const samples = [...samplesOfFindings(findings)];
      for (const sight of sightsIn(exchange))
        judgeForms(sight, (said) => void samples.push(sampleOfSaid(said)));
      return samples;
    },
  }),
};
