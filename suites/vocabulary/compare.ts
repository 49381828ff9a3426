import type { Exchange } from '../../src/core/evidence.ts';
import { equalField } from '../../src/spec/kit/equalField.ts';
import { objectOf, type JsonObject } from '../../src/judge/kernel/body.ts';
import * as is from '../../src/spec/kernel/value.ts';
import { holds, unclear, type Judgement, differs } from '../../src/judge/kernel/judgement.ts';

/** Whether two answers agree on some members of their bodies. */
export function equalMembers(one: Exchange, other: Exchange, members: readonly string[]): Judgement {
  const [mine, theirs] = [objectOf(one), objectOf(other)];
  if (!mine || !theirs) return unclear(`${one.id} or ${other.id} has no JSON object to compare`);
  return sameMembers(mine, theirs, members);
}

/**
 * Whether two reads of a record agree on some members; `actual` is the first of them. A member that only one of them has
 * belongs to the rules about required members.
 */
export function sameMembers(actual: JsonObject, expected: JsonObject, members: readonly string[]): Judgement {
  const different = members.filter((member) => !equalField(member, actual[member], expected[member]));
  const [unlike] = different.filter(
    (member) => actual[member] !== undefined && expected[member] !== undefined,
  );
  if (unlike !== undefined)
    return differs('different', unlike, is.value(expected[unlike]), is.value(actual[unlike]));
  const [lone] = different;
  return lone === undefined
    ? holds
    : unclear(`${show(lone, actual)} beside ${show(lone, expected)}, nothing to compare`);
}

function show(member: string, object: JsonObject): string {
  const value = object[member];
  return value === undefined ? `no ${member}` : `${member} ${JSON.stringify(value)}`;
}
