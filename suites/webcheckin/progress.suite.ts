import {
  type ApiKey,
  type CheckContext,
  type Exchange,
  type OwnRecord,
  fixed,
  generate,
  idsOf,
  list,
  memberOf,
  objectOf,
  sameMembers,
  status,
  suite,
} from '../checks.ts';
import { readStatus, readUntil } from '../support/checkin.ts';
import { readByAlias } from '../support/aliasReads.ts';
import { freshEnterprise } from '../support/enterprises.ts';
import { withKey } from '../support/keys.ts';
import { type Listed, listed, listedOnce } from '../support/listing.ts';

const given = [
  'https://boarding.example.com/Pass-1.pdf',
  'https://boarding.example.com/pass-2.pdf?leg=1&seat=12A',
];

export default suite('States', [
  fixed({
    id: 'wci.progress.reads',
    title: 'records in progress, completed and failed read as such in status and list',
    verifies: [
      ...['WCI-STS-002', 'WCI-STS-008', 'WCI-STS-011', 'WCI-STS-013', 'WCI-SCP-001'],
      ...['WCI-OPN-007', 'WCI-OPN-008', 'WCI-OPN-090'],
    ],
    needs: ['state:enterprise.create', 'state:checkin.progress'],
    uses: ['complete-record'],
    run: async (t) => {
      const { key } = await freshEnterprise(t);
      const records = await oneForEach(t, key, ['IN_PROGRESS', 'COMPLETED', 'FAILED']);
      await showBefore(t, key, records);
      await moveEach(t, records);
      const isShown = ({ items }: Listed) =>
        records.every(({ name, record }) =>
          items.some(({ checkin_id, status }) => checkin_id === record.checkinId && status === name),
        );
      const { items } = await listedOnce(t, { page: '0', limit: '100' }, withKey(key), isShown);
      await t.each(records, async ({ name: wanted, record }) => {
        const x = await readUntil(
          t,
          () => readStatus(t, record.checkinId, withKey(key)),
          (one) => [wanted, null].includes(statusOf(one)),
        );
        observeSubStatus(t, memberOf(x, 'sub_status'));
        if (wanted !== 'COMPLETED') t.observe('WCI-OPN-008', 'further', x);
        if (wanted !== 'IN_PROGRESS')
          await readByAlias(t, { checkinId: record.checkinId, read: x, key: withKey(key) });
        // The key of the run is of another enterprise than the fresh one.
        await readStatus(t, record.checkinId);
        const item = items.find((one) => one.checkin_id === record.checkinId) ?? {};
        if (sameMembers(item, objectOf(x) ?? {}, ['status', 'missing_info']).status === 'holds') return;
        // Whether the record has moved meanwhile is shown by another look at both.
        await listed(t, { page: '0', limit: '100' }, withKey(key));
        await readStatus(t, record.checkinId, withKey(key));
      });
      await addPass(t, key, records);
    },
  }),

  fixed({
    id: 'wci.progress.filter',
    title: 'each status filters the one record that is in it',
    verifies: ['WCI-LST-012', 'WCI-LST-013', 'WCI-LST-014', 'WCI-LST-028'],
    needs: ['state:enterprise.create', 'state:checkin.progress'],
    uses: ['complete-record'],
    run: async (t) => {
      const { key } = await freshEnterprise(t);
      const records = await oneForEach(t, key, generate.checkinStatuses);
      await moveEach(t, records);
      await t.each(records, async ({ name: wanted, record }) => {
        const query = { status: wanted, page: '0', limit: '100' };
        const page = await listedOnce(t, query, withKey(key), ({ items }) =>
          idsOf(items).includes(record.checkinId),
        );
        const one = await listed(t, { ...query, limit: '1' }, withKey(key));
        // Whether what differs has moved meanwhile is shown by another look.
        if (idsOf(one.items)[0] !== idsOf(page.items)[0]) await listed(t, query, withKey(key));
      });
      await t.send(list({ page: '0', limit: '100' }, { key: withKey(key) }));
      await t.send(list({ page: '0', limit: '100', status: '' }, { key: withKey(key) }));
    },
  }),
]);

/** The status that an answer shows; null where it shows none. */
function statusOf(exchange: Exchange): string | null {
  const shown = memberOf(exchange, 'status');
  return typeof shown === 'string' ? shown : null;
}

interface Placed {
  readonly name: string;
  readonly record: OwnRecord;
}

/** A new record for each of these states. */
async function oneForEach(
  t: CheckContext,
  key: ApiKey,
  wanted: readonly string[],
): Promise<readonly Placed[]> {
  const placed: Placed[] = [];
  for (const one of wanted)
    placed.push({ name: one, record: await t.fixtures.subscribed(undefined, withKey(key)) });
  return placed;
}

/** Lets the automation move each record into its state. */
async function moveEach(t: CheckContext, placed: readonly Placed[]): Promise<void> {
  for (const { name: one, record } of placed) {
    if (one === 'SCHEDULED') continue;
    const passes = one === 'COMPLETED' ? { boarding_passes: given } : {};
    await t.state.set('checkin.progress', { checkin_id: record.checkinId, status: one, ...passes });
  }
}

/** Shows when each record was updated last, so that the oracles can tell whether its next state moves that. */
async function showBefore(t: CheckContext, key: ApiKey, placed: readonly Placed[]): Promise<void> {
  await listed(t, { page: '0', limit: '100' }, withKey(key));
  await t.sleep(t.grace(100));
  for (const { record } of placed)
    await t.send(status({ checkin_id: record.checkinId }, { key: withKey(key) }));
}

/** Gives what is completed another pass, so that the oracles can tell whether that moves its last_updated. */
async function addPass(t: CheckContext, key: ApiKey, placed: readonly Placed[]): Promise<void> {
  const completed = placed.find(({ name }) => name === 'COMPLETED');
  if (!completed) return;
  const { checkinId } = completed.record;
  await t.sleep(t.grace(100));
  await readStatus(t, checkinId, withKey(key));
  const boarding_passes = [...given, 'https://boarding.example.com/pass-3.pdf'];
  await t.state.set('checkin.progress', { checkin_id: checkinId, status: 'COMPLETED', boarding_passes });
  await readStatus(t, checkinId, withKey(key));
}

function observeSubStatus(t: CheckContext, sub: unknown): void {
  const known = ['COMPLETE_INFO', 'BOARDING_PASS_AVAILABLE'];
  if (typeof sub === 'string' && !known.includes(sub)) t.observe('WCI-OPN-007', 'further-values');
}
