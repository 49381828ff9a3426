import * as is from '../../src/spec/kernel/value.ts';
import { isObject, type Json, type JsonObject } from '../../src/judge/kernel/body.ts';
import { all, holds, unclear, type Judgement, differs, equals } from '../../src/judge/kernel/judgement.ts';

/** Whether something is missing, by `missing_info` alone: how its items look is open. */
export function lacksSomething(record: JsonObject | null): Judgement {
  const missing = record?.missing_info;
  if (!Array.isArray(missing)) return unclear(`missing_info is ${show(missing)}, no array`);
  return missing.length > 0 ? holds : differs('missing-info', 'missing_info', is.notEmpty, []);
}

/** Whether nothing is missing, by `missing_info` alone: when `sub_status` follows an update is open. */
export function lacksNothing(record: JsonObject | null): Judgement {
  const missing = record?.missing_info;
  if (!Array.isArray(missing)) return unclear(`missing_info is ${show(missing)}, no array`);
  return equals('missing-info', 'missing_info', [], missing);
}

/** A sub_status that does not claim completeness; its name is not given. */
function notCompleteInfo(record: JsonObject | null): Judgement {
  const sub = record?.sub_status;
  if (sub === undefined) return unclear('there is no sub_status');
  if (sub !== 'COMPLETE_INFO') return holds;
  return differs('sub-status', 'sub_status', is.pattern('a text other than "COMPLETE_INFO"'), sub);
}

/** A record that a subscribe or a read shows as incomplete, by sub_status and missing_info. */
export function incomplete(record: JsonObject | null): Judgement {
  return all(lacksSomething(record), notCompleteInfo(record));
}

/** One member with one value. */
export function hasMember(record: JsonObject | null, member: string, value: Json): Judgement {
  if (!record) return unclear('there is no JSON object');
  return equals(member, member, value, record[member]);
}

/** The `data` of an update answer. */
export function updatedRecord(body: JsonObject | null): JsonObject | null {
  return isObject(body?.data) ? body.data : null;
}

function show(value: Json | undefined): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
