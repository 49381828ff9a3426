import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../core/evidence.ts';
import { memberOf, responseOf } from '../judge/kernel/body.ts';
import { status, type ApiRequest } from '../send/request.ts';
import type { BookedRecord, BookRole, RecordBook } from './recordBook.ts';

/** How long after its subscribe an unchanged record may still have been written. */
const settledMs = 10 * 60_000;
/** How much earlier it may seem to have been written, by clocks that differ. */
const slackMs = 2 * 60_000;

export interface ReuseOptions {
  readonly book: RecordBook;
  readonly send: (request: ApiRequest, purpose: string) => Promise<Exchange>;
  /** Called with the id of a record that is used instead of a new one. */
  readonly onReuse: (checkinId: string) => void;
}

/**
 * A record of an earlier run, once a read has shown that it is unchanged; null if there is none. One that has vanished or
 * changed is dropped without a judgement, since the change may have been right.
 */
export async function reuse(
  role: BookRole,
  { book, send, onReuse }: ReuseOptions,
): Promise<BookedRecord | null> {
  const booked = book.find(role);
  if (booked === null) return null;
  const id = memberOf(booked.subscribed, 'checkin_id');
  if (typeof id !== 'string') return null;
  const read = await send(status({ checkin_id: id }, { key: { kind: 'key', key: booked.key } }), 'book');
  const code = responseOf(read)?.status;
  if (code === 200 && isAsMade(role, booked, read)) {
    onReuse(id);
    return booked;
  }
  // A network or rate-limit error says nothing about the record.
  if (code === 200 || code === 404) book.drop(role);
  return null;
}

function isAsMade(role: BookRole, { subscribed, writtenAt }: BookedRecord, read: Exchange): boolean {
  const same = ['checkin_id', 'booking_id', 'status', 'sub_status', 'missing_info'].every((name) =>
    isDeepStrictEqual(memberOf(read, name), memberOf(subscribed, name)),
  );
  const updated = memberOf(read, 'last_updated');
  const written = typeof updated === 'string' ? Date.parse(updated) : Number.NaN;
  // Updates that change nothing in the workbench record may still change its time.
  const latest = role === 'workbench-record' ? Number.POSITIVE_INFINITY : writtenAt + settledMs;
  return same && written >= writtenAt - slackMs && written <= latest;
}
