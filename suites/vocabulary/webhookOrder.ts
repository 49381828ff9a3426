import * as rules from '../../src/spec/rules/changes.ts';
import { changedFields, fieldsOf, type Change } from '../../src/spec/world/toldChanges.ts';
import { changeFields } from '../../src/spec/world/webhookEvent.ts';
import type { Finding } from '../../src/spec/kernel/findings.ts';
import { judgementOf, type Judgement } from '../../src/judge/kernel/judgement.ts';

export * from '../../src/spec/world/toldChanges.ts';

function judgement<A extends readonly unknown[]>(judge: (...given: A) => Finding) {
  return (...given: A): Judgement => judgementOf(judge(...given));
}

export const isPushed = judgement(rules.isPushed);
export const tellsChanges = judgement(rules.tellsChanges);
export const tellsText = judgement(rules.tellsText);
export const agreesWith = judgement(rules.agreesWith);
export const tellsNoMore = judgement(rules.tellsNoMore);
export const tellsCompletion = judgement(rules.tellsCompletion);

/** How `changes` relates to what changed (WCI-OPN-022); null if one event does not show it. */
export function changesForm({ before, after, events }: Change): string | null {
  const [event, ...others] = events;
  if (!event || others.length > 0) return null;
  const changed = changedFields(before, after);
  const there = fieldsOf(event.changes);
  if (changed.length === 0 || changed.length === changeFields.length) return null;
  if (there.length === changeFields.length) return 'all-five';
  if (!changed.every((field) => there.includes(field))) return null;
  if (there.length === changed.length) return changed.includes('status') ? null : 'changed-only';
  return there.every((field) => changed.includes(field) || field === 'status') ? 'changed-and-status' : null;
}
