import {
  type ApiKey,
  type CheckContext,
  type Exchange,
  type Judgement,
  answered,
  describeResponse,
  fixed,
  generate,
  holds,
  hourMs,
  isAccepted,
  lacksNothing,
  memberOf,
  notApplicable,
  objectOf,
  objectsAt,
  rejected,
  responseOf,
  sameMembers,
  status,
  subscribe,
  suite,
  unclear,
  update,
  without,
  equals,
} from '../checks.ts';
import { updated } from '../support/checkin.ts';
import { untilTick } from '../support/clocks.ts';
import { bookingAhead, leadTimeMs, marginMs } from '../support/departures.ts';
import { newEnterprise, withKey } from '../support/enterprises.ts';
import { judgeByMembers } from '../support/looks.ts';

const states = ['IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;
/** Not the explanation for people, which may be another one at each look. */
const members = ['booking_id', 'status', 'sub_status', 'missing_info', 'last_updated'] as const;

/** How often a deployment may touch what it works on, in milliseconds. */
const touchedMs = 6_000;

export default suite('POST /extPartner/api/webcheckin/update: states', [
  fixed({
    id: 'wci.update.states',
    title: 'an update that the state does not allow is a 409 that changes nothing',
    verifies: ['WCI-UPD-038', 'WCI-UPD-047', 'WCI-SCP-002', 'WCI-OPN-014'],
    needs: ['state:enterprise.create', 'state:checkin.progress'],
    uses: ['complete-record'],
    run: async (t) => {
      const [key] = await newEnterprise(t, states.length + 1);
      if (!key) return t.skip('the state handler gave no key');
      const refused = new Set<string>();
      await t.each(states, async (state) => {
        const first = await updateIn(t, { state, key });
        // What is under way is completed some time: then again, and quicker.
        const tried = hasMovedOn(first) ? await updateIn(t, { state, key, isHasty: true }) : first;
        if (responseOf(tried.exchange)?.status === 409) refused.add(state);
        await judgeConflict(t, tried, key);
      });
      t.observe('WCI-OPN-014', variantOf(refused));
    },
  }),

  fixed({
    id: 'wci.update.rejected-resume',
    title: 'an update that fails to resume is 422 REJECTED, its passengers stored or not',
    verifies: ['WCI-UPD-042', 'WCI-UPD-039', 'WCI-UPD-053'],
    needs: ['state:enterprise.create', 'state:checkin.rejectResume'],
    uses: ['complete-record'],
    run: async (t) => {
      const [key] = await newEnterprise(t, 2);
      if (!key) return t.skip('the state handler gave no key');
      const record = await t.fixtures.subscribed(undefined, withKey(key));
      await t.state.set('checkin.rejectResume', { checkin_id: record.checkinId });
      const passengers = objectsAt(record.body, 'passengers').map(generate.companionOf);
      const request = () => update({ checkin_id: record.checkinId, passengers }, { key: withKey(key) });
      const exchange = await t.send(request());
      const code = responseOf(exchange)?.status ?? 0;
      const read = await t.send(status({ checkin_id: record.checkinId }, { key: withKey(key) }));
      // What is taken as soon as nothing fails any more was refused for the resuming alone.
      const again = code === 200 ? null : await t.send(request());
      if (again && isAccepted(again) && isRefusal(code))
        t.judge([exchange, again], { 'WCI-UPD-042': answered(exchange, rejected) });
      t.assume(code === 422, `an update that fails to resume answers ${describeResponse(exchange)}`);
      t.judge(exchange, { 'WCI-UPD-042': answered(exchange, rejected) });
      t.judge([exchange, read], {
        'WCI-UPD-039': Array.isArray(memberOf(read, 'missing_info'))
          ? holds
          : unclear('the record was not read'),
      });
      t.assume(memberOf(read, 'status') === 'SCHEDULED', 'the record does not wait any more');
      const isWhole = [objectOf(record.subscribed), again && updated(again)].map(lacksNothing);
      t.assume(
        isWhole.every((one) => one.status === 'holds'),
        'the earlier passengers, or those that were sent, lack something',
      );
      const judgement = lacksNothing(objectOf(read));
      if (judgement.status === 'violated') {
        const control = await t.send(status({ checkin_id: record.checkinId }, { key: withKey(key) }));
        t.assume(lacksNothing(objectOf(control)).status === 'holds', 'a status names what is not missing');
      }
      t.judge([record.subscribed, exchange, read], { 'WCI-UPD-053': judgement });
    },
  }),

  fixed({
    id: 'wci.update.late',
    title: 'what is subscribed or updated once the departure is less than six hours away',
    verifies: ['WCI-OPN-067', 'WCI-OPN-068'],
    needs: ['state:enterprise.create', 'state:clock.advance', 'state:automation.set'],
    uses: ['complete-record'],
    exclusive: true,
    tags: ['observation'],
    run: async (t) => {
      if (!t.state.clock.has('lead-time')) return t.skip('the state handler does not move the lead time');
      const [key] = await newEnterprise(t, 2);
      if (!key) return t.skip('the state handler gave no key');
      await t.state.set('automation.set', { mode: 'manual' });
      try {
        await observeLate(t, key);
      } finally {
        await t.state.set('automation.set', { mode: 'auto' });
      }
    },
  }),

  fixed({
    id: 'wci.update.waits-for-window',
    title: 'a complete booking far ahead waits as SCHEDULED',
    verifies: ['WCI-SUB-065'],
    needs: ['state:enterprise.create', 'state:clock.advance'],
    uses: ['complete-record'],
    exclusive: true,
    run: async (t) => {
      if (!t.state.clock.has('check-in-window'))
        return t.skip('the state handler does not move the check-in window');
      const [key] = await newEnterprise(t, 2);
      if (!key) return t.skip('the state handler gave no key');
      const record = await t.fixtures.subscribed(undefined, withKey(key));
      await t.state.set('clock.advance', { seconds: 24 * 3600 });
      const read = await t.send(status({ checkin_id: record.checkinId }, { key: withKey(key) }));
      t.judge(read, { 'WCI-SUB-065': stillScheduled(read) });
    },
  }),
]);

/** An update of a record in one state, with what was read before and after it. */
interface UpdatedState {
  readonly checkinId: string;
  readonly before: Exchange;
  readonly exchange: Exchange;
  readonly after: Exchange;
}

interface StateTry {
  readonly state: (typeof states)[number];
  readonly key: ApiKey;
  /** Nothing is waited for, so that automation has no time to go on. */
  readonly isHasty?: boolean;
}

async function updateIn(t: CheckContext, { state, key, isHasty = false }: StateTry): Promise<UpdatedState> {
  const record = await t.fixtures.subscribed(undefined, withKey(key));
  const { checkinId } = record;
  const read = () => t.send(status({ checkin_id: checkinId }, { key: withKey(key) }));
  await t.state.set('checkin.progress', { checkin_id: checkinId, status: state });
  const before = await read();
  t.assume(memberOf(before, 'status') === state, `the record was not brought to ${state}`);
  const passengers = objectsAt(record.body, 'passengers').map((one) => without(one, 'passport'));
  if (!isHasty) {
    // To another enterprise, its state is as unknown as the record.
    await t.send(update({ checkin_id: checkinId, passengers }));
    await untilTick(t, memberOf(before, 'last_updated'));
  }
  const exchange = await t.send(update({ checkin_id: checkinId, passengers }, { key: withKey(key) }));
  t.assume(
    responseOf(exchange)?.status !== 400,
    'the update was refused for its form, which is another rule',
  );
  // Nothing else shows the rule where no state refuses updates.
  if (isAccepted(exchange)) t.judge(exchange, { 'WCI-UPD-038': holds });
  return { checkinId, before, exchange, after: await read() };
}

/** Whether automation has ended what was under way between the two reads. */
function hasMovedOn({ before, after }: UpdatedState): boolean {
  const [old, now] = [memberOf(before, 'status'), memberOf(after, 'status')];
  return old === 'IN_PROGRESS' && (now === 'COMPLETED' || now === 'FAILED');
}

async function judgeConflict(t: CheckContext, tried: UpdatedState, key: ApiKey): Promise<void> {
  const { checkinId, before, exchange, after } = tried;
  if (responseOf(exchange)?.status !== 409 || hasMovedOn(tried)) {
    t.judge(exchange, { 'WCI-UPD-047': notApplicable });
    return;
  }
  const isTouched = memberOf(after, 'last_updated') !== memberOf(before, 'last_updated');
  const read = () => t.send(status({ checkin_id: checkinId }, { key: withKey(key) }));
  const isMovedBy = async (ms: number) => {
    await t.sleep(t.grace(ms));
    return memberOf(await read(), 'last_updated') !== memberOf(after, 'last_updated');
  };
  t.assume(!isTouched || !(await isMovedBy(0)), 'a read moves last_updated, which WCI-STS-009 forbids');
  // What is under way may be touched by those who do it: then the time says nothing about the update.
  const isMovedOn = isTouched && (await isMovedBy(touchedMs));
  const judged = members.filter((member) => member !== 'last_updated' || !isMovedOn);
  const same = await judgeByMembers(t, { checkinId, key: withKey(key) }, judged, (some) =>
    unchanged(before, after, some),
  );
  t.judge([before, exchange, after], { 'WCI-UPD-047': same });
}

/** A refusal of the API itself with another status than 422: neither a limit that is reached nor a gateway's. */
function isRefusal(status: number): boolean {
  return [400, 402, 403, 404, 409, 500].includes(status);
}

async function observeLate(t: CheckContext, key: ApiKey): Promise<void> {
  const itinerary = await t.fixtures.itinerary('international');
  const body = bookingAhead(t, itinerary, leadTimeMs + marginMs);
  const options = { key: withKey(key) };
  const first = await t.send(subscribe(body, options));
  if (!isAccepted(first)) return;
  await t.state.set('clock.advance', { seconds: (marginMs + hourMs) / 1000 });
  const again = await t.send(subscribe(body, options));
  if (isAccepted(again)) t.observe('WCI-OPN-067', 'already-subscribed', again);
  if (responseOf(again)?.status === 422) t.observe('WCI-OPN-067', 'rejected', again);
  const passengers = objectsAt(body, 'passengers');
  const changed = await t.send(update({ checkin_id: memberOf(first, 'checkin_id'), passengers }, options));
  const variants: Readonly<Partial<Record<number, string>>> = {
    200: 'accepted',
    422: 'rejected',
    409: 'conflict',
  };
  const variant = variants[responseOf(changed)?.status ?? 0];
  if (variant !== undefined) t.observe('WCI-OPN-068', variant, changed);
}

function unchanged(before: Exchange, after: Exchange, some: readonly string[]): Judgement {
  const [old, now] = [objectOf(before), objectOf(after)];
  return old && now ? sameMembers(now, old, some) : unclear('the record was not read');
}

function stillScheduled(read: Exchange): Judgement {
  const shown = memberOf(read, 'status');
  if (shown === undefined) return unclear('the record was not read');
  return equals('status', 'status', 'SCHEDULED', shown);
}

function variantOf(refused: ReadonlySet<string>): string {
  if (refused.size === 0) return 'never';
  if (refused.size === states.length) return 'all-but-scheduled';
  const names = states.filter((state) => refused.has(state)).join(' and ');
  return variants.get(names) ?? names;
}

const variants: ReadonlyMap<string, string> = new Map([
  ['COMPLETED', 'completed'],
  ['IN_PROGRESS and COMPLETED', 'under-way-or-done'],
  ['COMPLETED and FAILED', 'final'],
]);
