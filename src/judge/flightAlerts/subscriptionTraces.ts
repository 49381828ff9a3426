import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../kernel/body.ts';
import { holds, unclear, violated, type Judgement } from '../kernel/judgement.ts';

/** Names that data of a subscription may have. */
const telling = /subscri|callback|history|watch|track|^fid$/i;

/**
 * What a subscription changed in a leg that did not change upstream: its members, and the values of members named
 * like data of a subscription. Other extra members may change with every answer.
 */
export function changedBySubscribing(
  before: JsonObject | null,
  after: JsonObject | null,
): { readonly members: Judgement; readonly traces: Judgement } {
  if (!before || !after) {
    const nothing = unclear('one of the two lookups does not show the leg');
    return { members: nothing, traces: nothing };
  }
  return { members: sameNames(before, after), traces: judgeTraces(before, after) };
}

function sameNames(before: JsonObject, after: JsonObject): Judgement {
  const [old, now] = [namesIn(before), namesIn(after)];
  const added = now.find((name) => !old.includes(name));
  const gone = old.find((name) => !now.includes(name));
  if (added !== undefined) return violated('members', `no ${added}, as before`, added);
  return gone === undefined ? holds : violated('members', `${gone}, as before`, `no ${gone}`);
}

function judgeTraces(before: JsonObject, after: JsonObject): Judgement {
  const changed = Object.keys(after).find(
    (name) => telling.test(name) && !isDeepStrictEqual(before[name], after[name]),
  );
  return changed === undefined
    ? holds
    : violated('trace', `${changed} as before the subscription`, 'another value');
}

/** Dotted names of all members, those inside of objects included. */
function namesIn(leg: JsonObject): readonly string[] {
  return Object.entries(leg).flatMap(([name, value]) =>
    isObject(value) ? [name, ...Object.keys(value).map((inner) => `${name}.${inner}`)] : [name],
  );
}
