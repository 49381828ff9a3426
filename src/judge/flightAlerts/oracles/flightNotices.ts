import type { Delivery } from '../../../core/evidence.ts';
import { Blame } from '../../../spec/kernel/blame.ts';
import { Findings } from '../../../spec/kernel/findings.ts';
import * as is from '../../../spec/kernel/value.ts';
import { addressFault } from '../../../spec/rules/deliveries.ts';
import { judgeNoticeForm } from '../../../spec/rules/noticeForms.ts';
import { NoticeKeys } from '../../../spec/rules/noticeKeys.ts';
import { FlightCallbacks } from '../../../spec/world/flightCallbacks.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { differs } from '../../kernel/judgement.ts';
import {
  noSamples,
  sampleOf,
  sampleOfViolation,
  samplesOfFindings,
  type Sample,
} from '../../kernel/sample.ts';

/** What every flight change notification looks like (Flight Alerts, Events), whom it names and where it goes. */
export const flightNotices: Oracle = {
  id: 'flight-notices',
  replaces: ['flight-notice-request', 'flight-notice-key', 'flight-notice-recipient'],
  title:
    'every flight notification is a POST of fid and changes to its registered URL, with the callbackApiKey',
  // FLA-CB-019 and FLA-SUB-011 are judged by other oracles as well.
  verifies: [
    ...['FLA-CB-002', 'FLA-CB-003', 'FLA-CB-004', 'FLA-CB-005', 'FLA-CB-006', 'FLA-CB-007', 'FLA-CB-015'],
    ...['FLA-CB-020', 'FLA-CB-021', 'FLA-CB-022', 'FLA-CB-030', 'FLA-CB-031', 'FLA-CB-032', 'FLA-CBR-016'],
    'FLA-SUB-007',
  ],
  operations: ['fla.lookup', 'fla.subscribe'],
  createWatch: () => {
    const callbacks = new FlightCallbacks();
    const blame = new Blame();
    const keys = new NoticeKeys(blame);
    const judge = (due: readonly Delivery[]): readonly Sample[] =>
      due.length === 0 ? noSamples : due.flatMap((delivery) => judgeNotice(delivery, callbacks, keys));
    return {
      exchange: (exchange) => judge(callbacks.learn(exchange)),
      delivery: (delivery) => judge(callbacks.deliver(delivery)),
      end: () => [
        ...judge(callbacks.end()),
        ...callbacks.astray().map(strayed),
        ...blame.end().map(sampleOfViolation),
      ],
      forgotten: () => callbacks.forgotten,
    };
  },
};

function strayed(delivery: Delivery): Sample {
  const want = is.text('notifications at the registered URL');
  const got = is.text('one at the URL of a change that was refused');
  return { ...sampleOf('FLA-SUB-011', differs('strayed', 'callback', want, got)), evidence: [delivery] };
}

function judgeNotice(delivery: Delivery, callbacks: FlightCallbacks, keys: NoticeKeys): readonly Sample[] {
  const findings = new Findings();
  judgeNoticeForm(delivery, findings);
  keys.judge(delivery, callbacks, findings);
  const urls = callbacks.of(delivery).map(({ url }) => url);
  findings.settle('FLA-CB-030', addressFault(delivery, urls));
  return samplesOfFindings(findings).map((sample) => ({ ...sample, evidence: [delivery] }));
}
