import type { JsonObject } from '../../trace/body.ts';
import { legMembers } from '../grammar/legSnapshot.ts';
import { memberOf, valueAt } from './legMembers.ts';

/** A shorter text may stand for something else. */
const shortest = 8;

/** A text that upstream has replaced in a leg, and that a lookup shows of it still, in a member that is none of the leg's; null for none. */
export function historyIn(
  shown: JsonObject,
  given: JsonObject,
  past: readonly JsonObject[],
  paths: readonly string[],
): string | null {
  const former = past.flatMap((leg) => paths.map((path) => valueAt(leg, path)));
  const { alternateInfo, ...rest } = shown;
  const isTold = (text: string) =>
    JSON.stringify([given, alternateInfo ?? null]).includes(text) ||
    legMembers.some((member) => memberOf(shown, member) === text);
  const found = former.find(
    (text) =>
      typeof text === 'string' &&
      text.length >= shortest &&
      JSON.stringify(rest).includes(JSON.stringify(text)) &&
      !isTold(text),
  );
  return typeof found === 'string' ? found : null;
}
