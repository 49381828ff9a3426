import type { Delivery } from '../../../core/evidence.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { isUnsigned } from '../../kernel/unsigned.ts';
import { watchWebhooks } from '../webhookBook.ts';
import { carriesHeader, keepsValue, sendsNoOtherHeader } from '../webhookHeader.ts';
import type { WebhookRegistration } from '../webhookRegistration.ts';

/** How a delivery is authorized: by the configured header alone, without a signature (Authentication 7). */
export const webhookAuthorization: Oracle = {
  id: 'webhook-authorization',
  title: 'every status webhook carries the configured auth_header as it is, and no signature',
  verifies: ['WCI-CB-005', 'WCI-CB-006', 'WCI-CB-007', 'WCI-CB-008'],
  operations: ['wci.subscribe'],
  createWatch: () => watchWebhooks((delivery, registered, { recent }) => judge(delivery, registered, recent)),
};

function judge(
  delivery: Delivery,
  registered: readonly WebhookRegistration[],
  others: readonly WebhookRegistration[],
): readonly Sample[] {
  const carried = carriesHeader(delivery, registered, others);
  return [
    sampleOf('WCI-CB-005', carried),
    ...(carried.status === 'holds' ? [sampleOf('WCI-CB-006', keepsValue(delivery, registered))] : []),
    sampleOf('WCI-CB-007', sendsNoOtherHeader(delivery, registered)),
    sampleOf('WCI-CB-008', isUnsigned(delivery)),
  ];
}
