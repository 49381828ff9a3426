import { type CheckContext, type Exchange, responseOf, tellingIn } from '../checks.ts';
import { askUnknownBooking, askUnknownCheckin } from './unknownIds.ts';

/** Enough repetitions that even a one-bit value is not the same by coincidence. */
const repeats = 3;

/**
 * Asks about a foreign and about a missing record. What differs between the first two answers may differ between any two, like a
 * request number: only in that case both are requested again, in alternating order, since two nodes may take turns.
 */
export async function askAlike(
  t: CheckContext,
  foreign: string | number,
  ask: (id: string | number) => Promise<Exchange>,
): Promise<void> {
  const x = await ask(foreign);
  const missing = await (typeof foreign === 'string'
    ? askUnknownCheckin(t, foreign, ask)
    : askUnknownBooking(t, ask));
  const areTold = tellingIn([{ x, id: foreign }], [missing]) !== null;
  if (!areTold || ![x, missing.x].every(isRefused)) return;
  for (let turn = 0; turn < repeats; turn += 1)
    for (const id of turn % 2 === 0 ? [missing.id, foreign] : [foreign, missing.id]) await ask(id);
}

function isRefused(x: Exchange): boolean {
  const status = responseOf(x)?.status ?? 0;
  return status >= 400 && status < 500 && status !== 429;
}
