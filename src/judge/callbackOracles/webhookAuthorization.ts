import type { Delivery } from '../../core/evidence.ts';
import type { CallbackOracle } from '../callbackOracle.ts';
import type { OracleJudgement } from '../oracle.ts';
import { sampleOf } from '../sample.ts';
import { isUnsigned } from '../unsigned.ts';
import { watchWebhooks } from '../webhookBook.ts';
import { carriesHeader, keepsValue, sendsNoOtherHeader } from '../webhookHeader.ts';
import type { WebhookRegistration } from '../webhookRegistration.ts';

/** What a delivery is authorized by: the configured header alone, and no signature (Authentication 7). */
export const webhookAuthorization: CallbackOracle = {
  id: 'webhook-authorization',
  title: 'every status webhook carries the configured auth_header as it is, and no signature',
  verifies: ['WCI-CB-005', 'WCI-CB-006', 'WCI-CB-007', 'WCI-CB-008'],
  createWatch: () => {
    const seen = new Set<WebhookRegistration>();
    return watchWebhooks((delivery, registered) => {
      for (const one of registered) remember(seen, one);
      return judge(delivery, registered, [...seen]);
    });
  },
};

/** Another registration's value is looked for among the latest few: there may be thousands. */
function remember(seen: Set<WebhookRegistration>, registration: WebhookRegistration): void {
  seen.delete(registration);
  seen.add(registration);
  const [oldest] = seen;
  if (seen.size > 50 && oldest) seen.delete(oldest);
}

function judge(
  delivery: Delivery,
  registered: readonly WebhookRegistration[],
  others: readonly WebhookRegistration[],
): readonly OracleJudgement[] {
  return [
    sampleOf('WCI-CB-005', carriesHeader(delivery, registered, others)),
    sampleOf('WCI-CB-006', keepsValue(delivery, registered)),
    sampleOf('WCI-CB-007', sendsNoOtherHeader(delivery, registered)),
    sampleOf('WCI-CB-008', isUnsigned(delivery)),
  ];
}
