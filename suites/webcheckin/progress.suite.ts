import {
  type AnswerObject,
  type ApiKey,
  type CheckContext,
  type Exchange,
  type Judgement,
  type OwnRecord,
  all,
  answered,
  fixed,
  generate,
  holds,
  idsOf,
  isFilled,
  list,
  listingOf,
  memberOf,
  notFound,
  objectOf,
  sameItems,
  sameMembers,
  status,
  suite,
  differs,
  is,
} from '../checks.ts';
import { readStatus, readUntil } from '../support/checkin.ts';
import { judgeAlias } from '../support/aliasReads.ts';
import { freshEnterprise } from '../support/enterprises.ts';
import { withKey } from '../support/keys.ts';
import { havePassesOtherUrls } from '../support/looks.ts';
import { type Listed, listed, listedOnce } from '../support/listing.ts';
import { listOrRefusal } from '../support/listQueries.ts';

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
      const before = idsOf(await showBefore(t, key, records));
      await moveEach(t, records);
      const isShown = ({ items }: Listed) =>
        records.every(({ name, record }) =>
          items.some(({ checkin_id, status }) => checkin_id === record.checkinId && status === name),
        );
      const { x: list, items } = await listedOnce(t, { page: '0', limit: '100' }, withKey(key), isShown);
      await t.each(records, async ({ name: wanted, record }) => {
        const x = await readUntil(
          t,
          () => readStatus(t, record.checkinId, withKey(key)),
          (one) => [wanted, null].includes(statusOf(one)),
        );
        const item = items.find((one) => one.checkin_id === record.checkinId) ?? {};
        const read = memberOf(x, 'status');
        // What was listed and is no longer has not come late.
        const isGone =
          item.checkin_id === undefined && before.includes(record.checkinId) && items.length < 100;
        const isShownThere = typeof item.status === 'string' || isGone;
        t.assume(typeof read === 'string' && isShownThere, 'the record shows no status');
        t.assume([read, item.status].includes(wanted), `the state handler did not make the record ${wanted}`);
        observeSubStatus(t, memberOf(x, 'sub_status'));
        if (wanted !== 'COMPLETED') t.observe('WCI-OPN-008', 'further', x);
        if (wanted !== 'IN_PROGRESS')
          await judgeAlias(t, { checkinId: record.checkinId, read: x, key: withKey(key) });
        // The key of the run is of another enterprise than the fresh one.
        const foreign = await readStatus(t, record.checkinId);
        t.judge([x, foreign], { 'WCI-SCP-001': answered(foreign, notFound) });
        const both = all(isStatus(read, wanted, 'status'), isStatus(item.status, wanted, 'list'));
        if (both.status === 'violated') await assumeUnmoved(t, key, record, read);
        if (wanted !== 'COMPLETED') t.judge([x, list], { 'WCI-STS-013': both });
        else t.judge([x, list], { 'WCI-STS-011': all(both, isCompleted(t, x), isCompletedItem(t, item)) });
        // What is no list is another rule's.
        if (![item, objectOf(x)].every((one) => Array.isArray(one?.missing_info))) return;
        t.judge([x, list], { 'WCI-STS-008': sameMembers(item, objectOf(x) ?? {}, ['missing_info']) });
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
        const page = await listedOnce(
          t,
          { status: wanted, page: '0', limit: '100' },
          withKey(key),
          (shown) =>
            isFilled(shown).status === 'holds' && filtersBy(wanted, record, shown.items).status === 'holds',
        );
        const filtered = filtersBy(wanted, record, page.items);
        if (filtered.status === 'violated' && page.items.every((item) => item.status === wanted))
          await assumeStays(t, key, record, wanted);
        t.judge(page.x, { 'WCI-LST-012': filtered });
        t.judge(page.x, { 'WCI-LST-013': isFilled(page) });
        const one = await listed(t, { status: wanted, page: '0', limit: '1' }, withKey(key));
        const same = sameItems(one, { ...page, items: page.items.slice(0, 1) });
        if (same.status === 'violated') await assumeStays(t, key, record, wanted);
        t.judge([page.x, one.x], { 'WCI-LST-028': same });
      });
      await judgeBlankFilter(t, key, records);
    },
  }),
]);

/** A status without any text is unknown like others: it does not filter, or is refused. */
async function judgeBlankFilter(t: CheckContext, key: ApiKey, records: readonly Placed[]): Promise<void> {
  const query = { page: '0', limit: '100' };
  const isThere = ({ items }: { readonly items: readonly AnswerObject[] }) =>
    records.every(({ record }) => idsOf(items).includes(record.checkinId));
  const whole = await listedOnce(t, query, withKey(key), isThere);
  const blank = await t.send(list({ ...query, status: '' }, { key: withKey(key) }));
  const found = listingOf(blank);
  if (!found) t.judge(blank, { 'WCI-LST-014': listOrRefusal(blank) });
  else if (isThere(whole)) t.judge([whole.x, blank], { 'WCI-LST-014': sameItems(found, whole) });
}

/** Nothing but records of the status, and the one that is known to be in it. */
function filtersBy(wanted: string, { checkinId }: OwnRecord, items: readonly AnswerObject[]): Judgement {
  const stray = items.find((item) => item.status !== wanted);
  if (stray) return differs('filter', 'data[].status', wanted, is.value(stray.status));
  if (idsOf(items).includes(checkinId)) return holds;
  return differs(
    'filter',
    'data[].checkin_id',
    is.value(checkinId, `which is ${wanted}`),
    is.value(idsOf(items)),
  );
}

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

/** Shows when each record was updated last, so that the oracles can tell whether its next state moves that; returns the list. */
async function showBefore(
  t: CheckContext,
  key: ApiKey,
  placed: readonly Placed[],
): Promise<readonly AnswerObject[]> {
  const { items } = await listed(t, { page: '0', limit: '100' }, withKey(key));
  await t.sleep(t.grace(100));
  for (const { record } of placed)
    await t.send(status({ checkin_id: record.checkinId }, { key: withKey(key) }));
  return items;
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

/** Ends the case undecided where the deployment has moved a record on by itself. */
async function assumeStays(
  t: CheckContext,
  key: ApiKey,
  { checkinId }: OwnRecord,
  wanted: string,
): Promise<void> {
  const read = await readStatus(t, checkinId, withKey(key));
  t.assume(statusOf(read) === wanted, 'the deployment has moved the record on by itself');
}

/** The same where the list comes to show what the status shows. */
async function assumeUnmoved(
  t: CheckContext,
  key: ApiKey,
  { checkinId }: OwnRecord,
  read: unknown,
): Promise<void> {
  const isMoved = ({ items }: Listed) =>
    items.some((item) => item.checkin_id === checkinId && item.status === read);
  const later = await listedOnce(t, { page: '0', limit: '100' }, withKey(key), isMoved);
  t.assume(!isMoved(later), 'the deployment has moved the record on by itself');
}

function isStatus(found: unknown, wanted: string, where: string): Judgement {
  if (found === wanted) return holds;
  return differs('status', 'status', wanted, is.value(found, `in the ${where}`));
}

function isCompleted(t: CheckContext, x: Exchange): Judgement {
  const [sub_status, boarding_passes] = [memberOf(x, 'sub_status'), memberOf(x, 'boarding_passes')];
  return passesShown('status', { sub_status, boarding_passes }, havePassesOtherUrls(t));
}

function isCompletedItem(t: CheckContext, item: AnswerObject): Judgement {
  return passesShown('list', item, havePassesOtherUrls(t));
}

/** The state handler completes with BOARDING_PASS_AVAILABLE and these passes, in any order; links to them may be made for each look. */
function passesShown(
  where: string,
  { sub_status: sub, boarding_passes: passes }: AnswerObject,
  areLinks: boolean,
): Judgement {
  if (sub !== 'BOARDING_PASS_AVAILABLE') {
    return differs('sub-status', 'sub_status', 'BOARDING_PASS_AVAILABLE', is.value(sub, `in the ${where}`));
  }
  const shown = Array.isArray(passes) ? (passes as readonly unknown[]) : [];
  const isGiven = (one: string) => areLinks || shown.some((url) => isSigned(url, one));
  if (shown.length === given.length && given.every(isGiven)) return holds;
  return differs('passes', 'boarding_passes', given, is.value(passes, `in the ${where}`));
}

/** The URL itself, or with a query behind it: an object store signs the URL anew for each answer. */
function isSigned(shown: unknown, url: string): boolean {
  if (shown === url) return true;
  return typeof shown === 'string' && shown.startsWith(url) && /^[?&#]/.test(shown.slice(url.length));
}

function observeSubStatus(t: CheckContext, sub: unknown): void {
  const known = ['COMPLETE_INFO', 'BOARDING_PASS_AVAILABLE'];
  if (typeof sub === 'string' && !known.includes(sub)) t.observe('WCI-OPN-007', 'further-values');
}
