import type { Delivery } from '../../../core/evidence.ts';
import { isAtAddress } from '../../kernel/callbackAddress.ts';
import { holds, type Judgement, unclear, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { watchWebhooks, type WebhookBook } from '../webhookBook.ts';
import { eventOf } from '../webhookEvent.ts';
import type { WebhookRegistration } from '../webhookRegistration.ts';

/** Where a status webhook goes: to the address that was registered for its record, as it was registered. */
export const webhookRecipient: Oracle = {
  id: 'webhook-recipient',
  title: 'every status webhook goes to the address that was registered for its record',
  verifies: ['WCI-CB-004', 'WCI-CB-014', 'WCI-CB-022'],
  operations: ['wci.subscribe'],
  createWatch: () => watchWebhooks(judge),
};

function judge(
  delivery: Delivery,
  registered: readonly WebhookRegistration[],
  book: WebhookBook,
): readonly Sample[] {
  const id = eventOf(delivery)?.checkinId ?? null;
  const record = id === null ? null : book.record(id);
  const urls = registered.map(({ url }) => url);
  const atAddress = isAtAddress(delivery, urls);
  if (id === null) return [sampleOf('WCI-CB-004', atAddress)];
  if (!record) return [sampleOf('WCI-CB-004', ofNoRecord(id, registered, book))];
  const owners = registered.map(({ enterprise }) => enterprise);
  if (!owners.includes(record.enterprise)) return [sampleOf('WCI-CB-022', ofAnother(id, owners))];
  if (record.urls.size === 0 && book.knowsAll(record.enterprise))
    return [
      sampleOf(
        'WCI-CB-014',
        violated('unasked', 'no callback', `a callback for ${id}, which has no callbackData`),
      ),
    ];
  const isOwn = registered.some(({ url }) => record.urls.has(url)) || !book.knowsAll(record.enterprise);
  return [
    sampleOf('WCI-CB-022', holds),
    sampleOf(
      'WCI-CB-004',
      isOwn ? atAddress : violated('record', [...record.urls].join(', '), ownUrl(registered)),
    ),
  ];
}

function ownUrl(registered: readonly WebhookRegistration[]): string {
  const [first] = registered;
  return `${first?.url ?? ''}, the address that ${first?.exchange ?? 'another request'} gave for another record`;
}

/** A record may have been made by a subscribe whose answer was lost: such a record belongs to this run. */
function ofNoRecord(id: string, registered: readonly WebhookRegistration[], book: WebhookBook): Judgement {
  if (registered.some(({ enterprise }) => !book.knowsAll(enterprise)))
    return unclear(`${id} may have been made by a subscribe without an answer`);
  return violated('unknown', 'the checkin_id of a request with this address', id);
}

function ofAnother(id: string, owners: readonly (string | null)[]): Judgement {
  return violated(
    'enterprise',
    `an event of ${owners.join(', ')}`,
    `an event of ${id}, a record of another enterprise`,
  );
}
