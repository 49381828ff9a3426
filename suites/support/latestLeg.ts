import { isDeepStrictEqual } from 'node:util';
import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  type JsonObject,
  type Judgement,
  holds,
  valueAt,
  violated,
} from '../checks.ts';

/** Asks again for a minute: how long upstream data may be cached is not stated. */
export async function askedUntil(
  t: CheckContext,
  ask: () => Promise<Exchange>,
  isEnough: (seen: Exchange) => boolean,
): Promise<Exchange> {
  let seen = await ask();
  for (const pause of [2, 8, 20, 30]) {
    if (isEnough(seen)) break;
    await t.sleep(pause * 1000);
    seen = await ask();
  }
  return seen;
}

/** Whether no value at these paths is as it was before upstream changed it; what stands in its place is a matter of other rules. */
export function staleNowhere(
  leg: AnswerObject | null,
  before: JsonObject,
  paths: readonly string[],
): Judgement {
  const stale = paths.find((path) => leg && isDeepStrictEqual(valueAt(leg, path), valueAt(before, path)));
  return stale === undefined ? holds : violated('stale', `the latest ${stale}`, `the earlier ${stale}`);
}
