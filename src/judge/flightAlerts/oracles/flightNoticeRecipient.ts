import type { Delivery } from '../../../core/evidence.ts';
import { isAtAddress } from '../../kernel/callbackAddress.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { echoesFid } from '../flightNotice.ts';
import { watchFlightCallbacks, type FlightCallbacks } from '../flightRegistrations.ts';
import { deliveredObject } from '../../../trace/delivered.ts';

/** Whom a flight notification names, and where it goes. */
export const flightNoticeRecipient: Oracle = {
  id: 'flight-notice-recipient',
  title: 'every flight notification goes to the registered URL and echoes the registered fid exactly',
  verifies: ['FLA-CB-006', 'FLA-CB-030'],
  createWatch: () => watchFlightCallbacks(judge),
};

function judge(delivery: Delivery, { registered }: FlightCallbacks): readonly Sample[] {
  const address = sampleOf(
    'FLA-CB-030',
    isAtAddress(
      delivery,
      registered.map(({ url }) => url),
    ),
  );
  const fid = deliveredObject(delivery)?.fid;
  if (fid === undefined) return [address];
  const fids = registered.map((one) => one.fid);
  return [address, sampleOf('FLA-CB-006', echoesFid(fid, fids))];
}
