import { Repetitions } from '../../../spec/rules/repetitions.ts';
import { judgeForm, judgeHeaders, judgeRecipient } from '../../../spec/rules/webhooks.ts';
import { Hooks, type Hooked } from '../../../spec/world/hooks.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOfSaid, type Sample } from '../../kernel/sample.ts';

/** Every delivery of a status webhook, by what the subscribes registered. */
export const webhookRequest: Oracle = {
  id: 'webhook-request',
  replaces: ['webhook-authorization', 'webhook-recipient', 'webhook-repetition'],
  title:
    'every status webhook is a POST of a webcheckin.update event, to the address and with the header that were registered, once',
  verifies: [
    ...['WCI-CB-002', 'WCI-CB-003', 'WCI-CB-004', 'WCI-CB-005', 'WCI-CB-006', 'WCI-CB-007', 'WCI-CB-008'],
    ...['WCI-CB-009', 'WCI-CB-010', 'WCI-CB-014', 'WCI-CB-016', 'WCI-CB-022', 'WCI-CB-025', 'WCI-CB-081'],
    ...['WCI-DT-027', 'WCI-SUB-022'],
  ],
  operations: ['wci.subscribe'],
  createWatch: () => {
    const hooks = new Hooks();
    const repetitions = new Repetitions();
    const judge = (one: Hooked): readonly Sample[] => {
      const { delivery, registered } = one;
      repetitions.note(delivery, registered[0]?.enterprise ?? null);
      const said = [...judgeForm(one), ...judgeHeaders(one, hooks), ...judgeRecipient(one, hooks)];
      return said.map((each) => ({ ...sampleOfSaid(each), evidence: [delivery] }));
    };
    return {
      exchange: (exchange) =>
        exchange.operation === 'wci.subscribe' ? hooks.learn(exchange).flatMap(judge) : noSamples,
      delivery: (delivery) => hooks.deliver(delivery).flatMap(judge),
      note: (note) => {
        if (note.type === 'step') repetitions.step(note);
      },
      end: () => {
        const left = hooks.end().flatMap(judge);
        return [...left, ...repetitions.end().map(sampleOfSaid)];
      },
      forgotten: () => hooks.forgotten + repetitions.forgotten,
    };
  },
};
