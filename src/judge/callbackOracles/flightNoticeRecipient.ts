import type { Delivery } from '../../core/evidence.ts';
import { isAtAddress } from '../callbackAddress.ts';
import type { CallbackOracle } from '../callbackOracle.ts';
import { watchFlightCallbacks, type FlightCallbacks } from '../flightRegistrations.ts';
import { holds, violated, type Judgement } from '../judgement.ts';
import type { OracleJudgement } from '../oracle.ts';
import { describeValue } from '../rule.ts';
import { sampleOf } from '../sample.ts';
import { deliveredObject } from '../webhookEvent.ts';

/** Whom a flight notification names, and where it goes. */
export const flightNoticeRecipient: CallbackOracle = {
  id: 'flight-notice-recipient',
  title: 'every flight notification goes to the registered URL and echoes the registered fid exactly',
  verifies: ['FLA-CB-006', 'FLA-CB-030'],
  createWatch: () => watchFlightCallbacks(judge),
};

function judge(delivery: Delivery, { registered }: FlightCallbacks): readonly OracleJudgement[] {
  const urls = registered.map(({ url }) => url);
  const fid = deliveredObject(delivery)?.fid;
  return [
    sampleOf('FLA-CB-030', isAtAddress(delivery, urls)),
    ...(fid === undefined
      ? []
      : [
          sampleOf(
            'FLA-CB-006',
            judgeFid(
              fid,
              registered.map((one) => one.fid),
            ),
          ),
        ]),
  ];
}

/** By code points, without normalization. */
function judgeFid(fid: unknown, registered: readonly string[]): Judgement {
  if (registered.some((one) => one === fid)) return holds;
  const code = typeof fid === 'string' ? 'altered' : 'type';
  return violated(code, `fid ${describeValue(registered[0])}`, `fid ${describeValue(fid)}`);
}
