import {
  type CheckContext,
  type Delivery,
  type JsonObject,
  type Judgement,
  holds,
  noticesOf,
  toldAt,
  toldIn,
  differs,
  equals,
  is,
  notThatOf,
} from '../checks.ts';
import { type Subscriber, authorizationsOf, changeLeg, newGate, tellsGate } from './notices.ts';

/** Values that a leg got while an earlier notification was to be repeated, by the paths at which they are told. */
type Behind = Readonly<Record<'departure.terminal' | 'departure.gate', string>>;

/** Makes two changes of a leg, of which each is told by a notification or both by one. */
export async function changeBehind(t: CheckContext, { leg }: Subscriber): Promise<Behind> {
  const [terminal, gate] = [`T${newGate(t)}`, newGate(t)];
  await changeLeg(t, leg, { departure: { terminal } });
  await changeLeg(t, leg, { departure: { gate } });
  return { 'departure.terminal': terminal, 'departure.gate': gate };
}

/** Changes that were made while a notification was to be repeated are told, if a later change of the gate is. */
export function losesNone(come: readonly Delivery[], behind: Behind, laterGate: string): Judgement {
  const notices = noticesOf(come);
  // Otherwise the address was given up, or fields are told otherwise, which are other rules.
  if (!notices.some(tellsGate(laterGate))) return holds;
  const lost = Object.entries(behind).find(
    ([path, value]) => !notices.some(({ changes }) => toldAt(changes, path) === value),
  );
  if (!lost) return holds;
  const want = is.telling({ [lost[0]]: lost[1] }, 'changed while an earlier one was to be repeated');
  return differs('lost', 'callback', want, is.number(come.length, 'deliveries', 'without it'));
}

/**
 * A repeated delivery tells all the fields of the one that failed: one that is missing counts as unchanged. A change may be
 * told in several notifications, of which each has fields of its own.
 */
export function repeatsFields(come: readonly Delivery[], changes: JsonObject): Judgement {
  const paths = toldIn(changes);
  const told = noticesOf(come).map((notice) => ({
    delivery: notice.delivery,
    fields: paths.filter((path) => toldAt(notice.changes, path) === toldAt(changes, path)),
  }));
  for (const [at, again] of told.entries()) {
    const isLess = ({ fields }: typeof again) =>
      again.fields.length > 0 && again.fields.length < fields.length;
    const first = told.slice(0, at).find(isLess);
    if (!first) continue;
    const want = is.value(first.fields, `as in the delivery answered ${first.delivery.answer}`);
    const got = is.value(again.fields, 'alone when it was repeated');
    return differs('not-repeated', 'changes', want, got, [first.delivery, again.delivery]);
  }
  return holds;
}

/** Whether a delivery of the same event carries the same Authorization and fid. */
export function repeats(first: Delivery, again: Delivery): Judgement {
  if (authorizationsOf([first, again]).length > 1)
    return notThatOf('authorization', 'header Authorization', 'the first delivery');
  const [fid, same] = noticesOf([first, again]).map((notice) => notice.fid);
  return equals('fid', 'fid', fid, same);
}
