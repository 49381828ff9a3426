import type { Json } from '../../trace/json.ts';
import type { Finding } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { jsonWords } from '../wording/words.ts';
import type { Shown } from '../world/hookedRecord.ts';
import {
  changedFields,
  fieldsOf,
  fold,
  foldInOrder,
  isEqual,
  isFilledList,
  isToldAs,
  ordersOf,
  type Change,
} from '../world/toldChanges.ts';
import { changeFields, type WebhookEvent } from '../world/webhookEvent.ts';

const nothingCame = 'no callback came';

/** Events are judged together in every order in which they may have been made: one order that keeps the rule suffices. */
function inSomeOrder(events: readonly WebhookEvent[], judge: (pushed: Partial<Shown>) => Finding): Finding {
  const found = ordersOf(events).map((ordered) => judge(foldInOrder(ordered)));
  const kept = found.findIndex((one) => typeof one !== 'object' || one === null);
  return found[Math.max(0, kept)] ?? null;
}

/** A state change is pushed, whatever the event says about it. */
export function isPushed({ before, after, events, isOver }: Change): Finding {
  if (events.length > 0) return null;
  if (changedFields(before, after).length === 0) return 'nothing changed that could be pushed';
  const want = is.change(before.status, after.status);
  if (!isOver) return `no callback of ${jsonWords(before.status)} → ${jsonWords(after.status)} came in time`;
  return { code: 'silent', at: 'callback', want, got: is.absent };
}

/** The fields that changed are reported, and not with the values that they had before. */
export function tellsChanges(change: Change): Finding {
  const { events } = change;
  return events.length === 0 ? nothingCame : inSomeOrder(events, (pushed) => changesIn(pushed, change));
}

function changesIn(pushed: Partial<Shown>, { before, after, isOver }: Change): Finding {
  const isWrong = (name: (typeof changeFields)[number]) =>
    pushed[name] === undefined || isEqual(name, pushed[name], before[name]);
  const field = changedFields(before, after).find(isWrong);
  if (field === undefined) return null;
  // An earlier event may be late, and that of the change still to come.
  if (!isOver) return `changes.${field} may still come`;
  const at = `changes.${field}`;
  const want = is.value(after[field]);
  return pushed[field] === undefined
    ? { code: 'absent', at, want, got: is.absent }
    : { code: 'old', at, want, got: is.value(pushed[field], 'as before') };
}

/** A new text for people counts as a changed field if status shows it, in whatever words the event has it. */
export function tellsText({ before, after, events, isOver }: Change, given: string): Finding {
  const isShown = after.checkin_message === given && before.checkin_message !== given;
  if (!isShown || events.length === 0 || !isOver) return 'no other text is shown, or no callback came';
  if (fold(events).checkin_message !== undefined) return null;
  return { code: 'absent', at: 'changes.checkin_message', want: is.value(given), got: is.absent };
}

/** Reported values are what status then shows. An earlier event may be late, and the latest still to come. */
export function agreesWith({ after, events, isOver }: Change): Finding {
  if (events.length === 0) return nothingCame;
  const found = inSomeOrder(events, (pushed) => agreesIn(pushed, after));
  return found !== null && !isOver ? 'the latest callback may still come' : found;
}

function agreesIn(pushed: Partial<Shown>, after: Shown): Finding {
  const field = fieldsOf(pushed).find((name) => !isToldAs(name, pushed[name], after[name]));
  if (field === undefined) return null;
  const want = is.value(after[field], 'as status shows');
  return { code: field, at: `changes.${field}`, want, got: is.value(pushed[field]) };
}

/** Only what changed is reported; `status` along with it and a whole snapshot are other readings of the documents. */
export function tellsNoMore({ before, after, events, isOver }: Change): Finding {
  if (!isOver) return 'the callback of the change may still come';
  if (events.length !== 1) return events.length === 0 ? nothingCame : null;
  const changed = changedFields(before, after);
  const there = fieldsOf(fold(events));
  // A text that is left out of the comparison may have changed.
  const mayCome = ['status', ...(after.checkin_message === null ? ['checkin_message'] : [])];
  const extra = there.filter((field) => !changed.includes(field) && !mayCome.includes(field));
  if (extra.length === 0 || there.length === changeFields.length) return null;
  return { code: 'extra', at: 'changes', want: is.value(changed), got: is.value(extra, 'as well') };
}

/** Completion is reported with its status, its sub_status and the boarding passes. */
export function tellsCompletion({ after, events, isOver }: Change): Finding {
  if (!isCompletion(after)) return 'status does not show the completion';
  return inSomeOrder(events, (pushed) => {
    if (isCompletion(pushed)) return null;
    if (!isOver) return 'no callback of the completion came in time';
    const got = events.length === 0 ? is.absent : is.telling(completionIn(pushed));
    return { code: 'completion', at: 'callback', want: is.telling(completionIn(after)), got };
  });
}

function isCompletion({ status, sub_status, boarding_passes }: Partial<Shown>): boolean {
  return status === 'COMPLETED' && sub_status === 'BOARDING_PASS_AVAILABLE' && isFilledList(boarding_passes);
}

/** The text for people may have been left out of the comparison. */
function completionIn({
  status,
  sub_status,
  boarding_passes,
}: Partial<Shown>): Record<string, Json | undefined> {
  return { status, sub_status, boarding_passes };
}
