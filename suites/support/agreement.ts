import {
  type CheckContext,
  type Exchange,
  type Judgements,
  agreesWith,
  shownBy,
  unclear,
} from '../checks.ts';
import { comparable, lookTwice } from './looks.ts';
import { evidenceOfChange, isEnded } from './movements.ts';
import { type Hooked, eventsOf, isTold, nothingShown, polled } from './webhooks.ts';

/** Whether pushed and read values of a changed record agree, as arguments of a judgement. */
export async function agreement(
  t: CheckContext,
  hook: Hooked,
  status: string,
): Promise<readonly [evidence: ReturnType<typeof evidenceOfChange>, said: Judgements]> {
  // An event of the creation may come before the intended one.
  await t.callbacks.wait(hook.address, () => isTold(hook, status));
  const first = await polled(t, hook, (shown) => shown.status === status);
  const now = shownBy(first)?.status;
  // An automation of its own may have moved it on: then what it has come to is compared, once that was pushed.
  const wanted = typeof now === 'string' && now !== hook.shown.status ? now : status;
  if (wanted !== status) await t.callbacks.wait(hook.address, () => isTold(hook, wanted));
  const read = wanted === status ? first : await polled(t, hook, (shown) => shown.status === wanted);
  const said = await agreementAt(t, hook, { read, status: wanted, isOver: true });
  if (said.judgement.status !== 'violated') return judgedAgreement(said);
  // Of a field that has an event of its own, the latest may be late.
  const isSettled = () =>
    agreesWith(comparable(t, { ...said.change, events: eventsOf(hook) })).status === 'holds';
  const isOver = await isEnded(t, hook, await t.callbacks.wait(hook.address, isSettled));
  const later = await polled(t, hook, (shown) => shown.status === wanted);
  return judgedAgreement(await agreementAt(t, hook, { read: later, status: wanted, isOver }));
}

/** What was pushed until a read, compared with what it shows. */
async function agreementAt(
  t: CheckContext,
  hook: Hooked,
  { read, status, isOver }: { readonly read: Exchange; readonly status: string; readonly isOver: boolean },
) {
  const after = shownBy(read) ?? nothingShown;
  // An event that came after the read was sent may be about a later change.
  const events = eventsOf(hook).filter(({ delivery }) => delivery.receivedAt <= read.timings.sentAt);
  const change = { before: hook.shown, after, events, isOver };
  await lookTwice(t, hook, change);
  const isThere = after.status === status && events.some(({ changes }) => changes.status === status);
  const judgement = isThere
    ? agreesWith(comparable(t, change))
    : unclear(`no callback of ${status} came, or the record had moved on`);
  return { change, read, judgement };
}

function judgedAgreement(said: Awaited<ReturnType<typeof agreementAt>>) {
  return [evidenceOfChange(said), { 'WCI-CB-020': said.judgement }] as const;
}
