import {
  type Change,
  type CheckContext,
  type Exchange,
  type Judgement,
  type Shown,
  type Waited,
  type WebhookEvent,
  agreesWith,
  heaviest,
  holds,
  isPushed,
  shownBy,
  tellsChanges,
  tellsText,
  unclear,
  withoutPassUrls,
} from '../checks.ts';
import { readStatus } from './checkin.ts';
import { comparable, lookTwice } from './looks.ts';
import { type Hooked, changeOf, eventsOf, firstChange, hooked, nothingShown, polled } from './webhooks.ts';

/** How automation is to change a record. */
export interface Movement {
  readonly status: string;
  readonly sub_status?: string;
  readonly checkin_message?: string;
  readonly boarding_passes?: readonly string[];
}

/** A change with the answer that shows it. */
export interface Moved {
  readonly change: Change;
  readonly read: Exchange;
}

/** What was shown of a record, and how many deliveries had come by then. */
export interface Known {
  readonly shown: Shown;
  readonly from: number;
}

/** What is known after a change: an automation of its own may go on from there before the next one is made. */
export function knownAfter({ change, read }: Moved, { address }: Hooked): Known {
  const { deliveries } = address.mailbox;
  const come = deliveries.filter(({ receivedAt }) => receivedAt <= read.timings.sentAt);
  return { shown: shownBy(read) ?? change.after, from: come.length };
}

/** Makes automation change a record, without looking at the result. */
export async function progress(t: CheckContext, { record }: Hooked, to: Movement): Promise<void> {
  const passes = to.boarding_passes === undefined ? {} : { boarding_passes: [...to.boarding_passes] };
  await t.state.set('checkin.progress', { checkin_id: record.checkinId, ...to, ...passes });
}

/** Makes automation change a record, waits until that is told, then polls. */
export async function moved(
  t: CheckContext,
  hook: Hooked,
  before: Shown | Known,
  to: Movement,
): Promise<Moved> {
  const from = 'from' in before ? before.from : hook.address.mailbox.deliveries.length;
  await progress(t, hook, to);
  return seen(t, hook, { before: 'from' in before ? before.shown : before, from, to });
}

/** A change that is waited for: it was made after the n-th delivery. */
interface Wanted {
  readonly before: Shown;
  readonly from: number;
  readonly to: Movement;
}

/** Waits for the event of a change, then polls. Each changed field may be told in an event of its own, some of them late. */
async function seen(t: CheckContext, hook: Hooked, wanted: Wanted): Promise<Moved> {
  const { before, from, to } = wanted;
  const tells = ({ changes }: WebhookEvent) => before.status === to.status || changes.status === to.status;
  const isTold = () => eventsOf(hook, from).some(tells);
  let come = await t.callbacks.wait(hook.address, isTold, { patienceMs: soonMs });
  const early = come === 'patience' ? await readStatus(t, hook.record.checkinId, hook.key) : null;
  if (early) come = await t.callbacks.wait(hook.address, isTold);
  const first = await look(t, hook, wanted);
  const { after } = first.change;
  if (early && after.status !== to.status && shownBy(early)?.status === to.status)
    return passedOn(hook, wanted, early);
  await lookTwice(t, hook, first.change);
  const inPassing = toldInPassing(hook, wanted, first);
  if (inPassing) return inPassing;
  t.assume(after.status === to.status, `the state handler did not make the record ${to.status}`);
  if (come !== 'come' || isWhole(t, first.change, to)) return closed(t, hook, { ...first, waited: come });
  const told = () => ({ ...first.change, events: eventsOf(hook, from) });
  const isAllTold = () => isWhole(t, told(), to);
  // URLs of passes that differ from look to look never agree, which two looks at what has come tell.
  const isAlmostTold = () => isAllTold() || isWhole(t, withoutPassUrls(told()), to);
  let rest = await t.callbacks.wait(hook.address, isAlmostTold);
  let again = await look(t, hook, wanted);
  await lookTwice(t, hook, again.change);
  if (rest === 'come' && !isWhole(t, again.change, to)) {
    rest = await t.callbacks.wait(hook.address, isAllTold);
    again = await look(t, hook, wanted);
  }
  // What an automation of its own has moved on meanwhile is judged by what was told until then.
  return again.change.after.status === to.status ? closed(t, hook, { ...again, waited: rest }) : first;
}

/** Time after which a change is read before its event has come: an automation of the deployment's own may move it on meanwhile. */
const soonMs = 300;

/** A change that was shown at once, and was moved on from before its event came: what is told of the next status is not about it. */
function passedOn(hook: Hooked, { before, from, to }: Wanted, read: Exchange): Moved {
  const change = changeOf(hook, { before, after: shownBy(read) ?? nothingShown, from, waited: 'patience' });
  const next = change.events.findIndex(({ changes }) => (changes.status ?? to.status) !== to.status);
  return { change: { ...change, events: change.events.slice(0, next < 0 ? undefined : next) }, read };
}

/** A change that was told and, with word of that, moved on from before it was read: its events say what it was. */
function toldInPassing(hook: Hooked, { before, from, to }: Wanted, { change, read }: Moved): Moved | null {
  if (change.after.status === to.status) return null;
  const events = eventsOf(hook, from);
  const next = events.findIndex(({ changes }) => changes.status === change.after.status);
  const own = events.slice(0, Math.max(next, 0));
  if (!own.some(({ changes }) => changes.status === to.status)) return null;
  const after = own.reduce<Shown>((shown, { changes }) => ({ ...shown, ...changes }), before);
  return { change: { ...change, after, events: own }, read };
}

/** Polls until the wanted change is shown. An event that came after the read was sent may be about a later one. */
async function look(t: CheckContext, hook: Hooked, { before, from, to }: Wanted): Promise<Moved> {
  const read = await polled(t, hook, (shown) => shown.status === to.status);
  const change = changeOf(hook, { before, after: shownBy(read) ?? nothingShown, from, waited: 'patience' });
  const events = change.events.filter(({ delivery }) => delivery.receivedAt <= read.timings.sentAt);
  return { change: { ...change, events }, read };
}

/** Whether all that changed is told, as it is then; a text for people only if the automation was given it. */
function isWhole(t: CheckContext, change: Change, { checkin_message: given }: Movement): boolean {
  const last = { ...change, isOver: true };
  const text = given === undefined ? holds : tellsText(last, given);
  const said = [tellsChanges, agreesWith].map((judge) => judge(comparable(t, last)));
  return heaviest([...said, text]).status !== 'violated';
}

type Ended = Moved & { readonly waited: Waited };

/** A change of which no more is waited for. */
async function closed(t: CheckContext, hook: Hooked, { change, read, waited }: Ended): Promise<Moved> {
  return { read, change: { ...change, isOver: await isEnded(t, hook, waited) } };
}

/** Whether no more can come of what was waited for. */
export async function isEnded(t: CheckContext, hook: Hooked, waited: Waited): Promise<boolean> {
  return waited !== 'patience' || laterOneCame(t, hook);
}

/**
 * The positive control for a silence if the deployment does not report what is pending: a change made after the wait for the
 * other had ended is pushed, so the other one would have been, too.
 */
async function laterOneCame(t: CheckContext, { key }: Hooked): Promise<boolean> {
  if (t.callbacks.tellsPending || !t.state.offers('checkin.progress')) return false;
  const control = await hooked(t, { key });
  await progress(t, control, { status: 'IN_PROGRESS' });
  const waited = await t.callbacks.wait(control.address, () =>
    eventsOf(control).some(({ changes }) => changes.status === 'IN_PROGRESS'),
  );
  return waited === 'come';
}

/**
 * Has automation move a record, and waits for an event of it. Where the record is when it is read would not count: an
 * automation of its own may have moved it on.
 */
export async function told(t: CheckContext, hook: Hooked): Promise<Waited> {
  await progress(t, hook, { status: 'IN_PROGRESS' });
  return t.callbacks.wait(hook.address, () => eventsOf(hook).length > 0);
}

/** Whether a change is pushed at all, if it was surely made and no more can come. */
export async function judgeTold(t: CheckContext, hook: Hooked, waited: Waited): Promise<void> {
  const change = firstChange(hook, waited);
  const pushed = isPushed(change);
  if (pushed.status === 'unclear') return;
  if (pushed.status === 'holds') {
    t.judge(hook.address.mailbox.deliveries, { 'WCI-CB-001': pushed });
    return;
  }
  const read = await polled(t, hook, (shown) => shown.status !== hook.shown.status);
  const isMoved = shownBy(read)?.status !== hook.shown.status;
  if (isMoved) t.judge([hook.record.subscribed, read], { 'WCI-CB-001': pushed });
}

/** Whether a change is pushed; if its status was reported before, it may be no change, and nothing need come. */
export function goesOn({ change }: Moved, isAhead: boolean): Judgement {
  const pushed = isPushed(change);
  return isAhead && pushed.status === 'violated'
    ? unclear('the deployment had already made the change by itself')
    : pushed;
}

/** The change as judged: an event may describe it in other words than a status. */
export function judged(t: CheckContext, { change }: Moved): Change {
  return comparable(t, change);
}

/** The deliveries that show a change, for the evidence of a judgement. */
export function evidenceOfChange({ change, read }: Moved) {
  return [read, ...change.events.map(({ delivery }) => delivery)];
}
