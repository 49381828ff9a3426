import {
  type ApiKey,
  type CheckContext,
  type Exchange,
  type JsonObject,
  type Judgement,
  all,
  equalMembers,
  hasMember,
  holds,
  lacksNothing,
  lacksSomething,
  list,
  memberOf,
  objectOf,
  responseOf,
  unclear,
  numberDue,
} from '../checks.ts';
import { itemsOf, lateCopyMs, readUntil } from './checkin.ts';
import type { Attempt, Attempts, Command } from './checkinModel.ts';
import { withKey } from './enterprises.ts';

/** What a sequence runs against: the keys of two enterprises, and the bodies of two bookings. */
export interface ModelStage {
  readonly keys: readonly (readonly ApiKey[])[];
  readonly bodies: readonly JsonObject[];
  readonly attempts: Attempts;
}

/** The list shows each own booking once, in the state that the model has it in. */
export async function judgeList(t: CheckContext, stage: ModelStage, command: Command): Promise<void> {
  const own = stage.attempts.of(command.enterprise);
  const send = () => t.send(list({ limit: '100' }, { key: keyFor(stage, command) }));
  let page = await readUntil(t, send, (one) => listsAll(one, own));
  if (!listsAll(page, own)) {
    await t.sleep(lateCopyMs);
    page = await send();
  }
  const items = itemsOf(page);
  // Whether it shows what is another enterprise's, or not all that is its own, is the matter of other checks.
  const foreign = stage.attempts
    .of(command.enterprise === 0 ? 1 : 0)
    .map(({ record }): unknown => record.checkinId);
  // Fresh enterprises: with more than a page of records the order would have to be known.
  if (Number(memberOf(page, 'pagination', 'totalPages') ?? 1) > 1) return;
  for (const { record, status: known, earlier = [] } of own) {
    const mine = items.filter((item) => item.checkin_id === record.checkinId);
    const others = [...foreign, ...earlier];
    const same = items.filter(({ pnr, checkin_id }) => pnr === record.pnr && !others.includes(checkin_id));
    t.judge(page, { 'WCI-SUB-019': onlyOne(Math.max(mine.length, same.length)) });
    if (known !== null) t.judge(page, { 'WCI-STS-008': hasMember(mine[0] ?? null, 'status', known) });
  }
}

function onlyOne(items: number): Judgement {
  if (items === 0) return unclear('the list does not show the booking');
  return numberDue('items', 'items', 1, items, 'for the booking');
}

function listsAll(page: Exchange, own: readonly Attempt[]): boolean {
  const items = itemsOf(page);
  return own.every(({ record, status: known }) =>
    items.some((item) => item.checkin_id === record.checkinId && (known === null || item.status === known)),
  );
}

/** Status, ids and readiness as the model has them; readiness counts while the attempt waits. */
export function asModelled(exchange: Exchange, attempt: Attempt): Judgement {
  const shown = objectOf(exchange);
  if (!shown || responseOf(exchange)?.status !== 200) return unclear('the record was not read');
  const same = equalMembers(exchange, attempt.record.subscribed, ['checkin_id', 'booking_id']);
  const inState = attempt.status === null ? holds : hasMember(shown, 'status', attempt.status);
  if (attempt.complete === null || shown.status !== 'SCHEDULED') return all(same, inState);
  return all(same, inState, attempt.complete ? lacksNothing(shown) : lacksSomething(shown));
}

/** The key that a step is sent with. */
export function keyFor({ keys }: ModelStage, { enterprise, key }: Command) {
  const chosen = keys[enterprise]?.[key];
  if (!chosen) throw new Error('two keys of each of two enterprises were to be made');
  return withKey(chosen);
}
