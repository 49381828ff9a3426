import * as is from '../../src/spec/kernel/value.ts';
import { faultsOf } from '../../src/spec/rules/legMembers.ts';
import type { JsonObject } from '../../src/judge/kernel/body.ts';
import { differs, holds, unclear, type Judgement } from '../../src/judge/kernel/judgement.ts';

/** Whether a leg is shown as upstream has it, as far as some sentences or members of it go: `FLA-SNP-030`, `status`. */
export function asGiven(shown: JsonObject | null, given: JsonObject, ...about: readonly string[]): Judgement {
  if (!shown) return unclear('the leg is not shown');
  const fault = faultsOf(shown, given).find(({ rule, path }) => about.includes(rule) || about.includes(path));
  if (!fault) return holds;
  const { path, want, got } = fault;
  return differs('passed-on', path, is.value(want, 'as upstream has it'), is.value(got));
}
