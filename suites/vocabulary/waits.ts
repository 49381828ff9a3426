import { heaviest, holds, type Judgement, differs } from '../../src/judge/kernel/judgement.ts';
import { bySending, type Decision } from '../../src/judge/limits/decision.ts';
import { judgeRetryAfter } from './retryAfter.ts';
import * as is from '../../src/spec/kernel/value.ts';
import { possibleWindow } from '../../src/judge/limits/tolerance.ts';

/** A fraction may be cut to a tenth of a second. */
const tenthS = 0.1;

/** What the refusals by a limit say about their waits. Rows for which nothing was seen are left out. */
export function judgeWaits(
  decisions: readonly Decision[],
  windowMs: number,
): Readonly<Record<string, Judgement>> {
  const ordered = bySending(decisions);
  const refusals = ordered.filter(({ ruling, retryAfter }) => ruling === 'refused' && retryAfter !== null);
  const seconds = refusals.map((one) => judgeSeconds(one, ordered, windowMs));
  // A zero that may be less than a second rounded down leaves others to judge.
  const clear = seconds.filter(({ status }) => status !== 'unclear');
  const enough = refusals.flatMap((one) => judgeEnough(one, ordered) ?? []);
  return {
    ...(clear.length === 0 ? {} : { 'SHR-LIM-020': heaviest(clear) }),
    ...(enough.length === 0 ? {} : { 'SHR-LIM-021': heaviest(enough) }),
  };
}

/** The first request that can have been in the window is the first to leave it. */
function judgeSeconds(at: Decision, ordered: readonly Decision[], windowMs: number): Judgement {
  const standing = (one: Decision) =>
    one.ruling !== 'refused' && one.received > at.sent - possibleWindow(windowMs);
  const oldest = ordered.find(standing) ?? at;
  return judgeRetryAfter({ retryAfter: at.retryAfter, at, oldest }, windowMs);
}

/** If the key waited as long as `retryAfter` said, the next answer shows whether that was enough; else null. */
function judgeEnough(at: Decision, ordered: readonly Decision[]): Judgement | null {
  const next = ordered.find(({ sent }) => sent > at.received);
  // SHR-LIM-020 is about no wait at all.
  if (!next || (at.retryAfter ?? 0) <= 0) return null;
  const before = ordered.filter(({ sent }) => sent < next.sent);
  const silentMs = next.sent - Math.max(...before.map(({ received }) => received));
  const waitS = (at.retryAfter ?? 0) + tenthS;
  // Whole seconds are rounded up: who is served within the last of them would be at its end.
  if (silentMs < (waitS - 1) * 1000) return null;
  // They were sent together: any of them may have been decided first.
  const together = ordered.filter(({ sent }) => sent >= next.sent && sent < next.received);
  if (together.some(({ ruling }) => ruling === 'admitted')) return holds;
  if (silentMs < waitS * 1000) return null;
  if (together.some(({ ruling }) => ruling === 'unknown')) return null;
  const [wait, ids] = [at.retryAfter ?? 0, [at.id, next.id]];
  const words = `${next.id} was refused ${(silentMs / 1000).toFixed(1)} s after ${at.id} had said retryAfter ${wait}`;
  return differs(
    'too-short',
    'retryAfter',
    is.text(`HTTP 200 after waiting ${wait} s`),
    is.counted(words, ids),
    ids.map((id) => ({ id })),
  );
}
