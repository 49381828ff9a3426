import { isJsonObject, objectsAt, type JsonObject, type JsonValue } from '../kit/json.ts';
import { always, setTo } from '../kit/mutation.ts';
import { fault, isText, like, missing, open, type Form } from './form.ts';

/** The forms of a list of flights or passengers, by the rules for one that is missing, empty or of another shape. */
export function listForms(
  list: string,
  rules: readonly [missing: string, empty: string, shape: string],
): readonly Form[] {
  const [none, empty, shape] = rules;
  const has = (kind: (one: unknown) => boolean) => (value: unknown) =>
    (value as readonly unknown[]).some(kind);
  return [
    ...missing(fault, none, list),
    // In a multipart body the list is text by design.
    open(
      `${list}-as-text-in-a-part`,
      (value, { carrier }) => isText(value) && carrier === 'multipart',
      setTo(list, 'x'),
    ),
    // What a reader of parts would take for the list.
    fault(shape, `${list}-as-json-text`, like(/^\s*\[/), jsonTextOf(list)),
    fault(shape, `${list}-as-text`, isText, setTo(list, 'x')),
    fault(shape, `${list}-as-object`, (value) => !Array.isArray(value), firstElementOf(list)),
    fault(empty, `empty-${list}`, (value) => (value as readonly unknown[]).length === 0, setTo(list, [])),
    fault(
      shape,
      `${list}-of-null`,
      has((one) => one === null),
      setTo(list, [null]),
    ),
    fault(shape, `${list}-of-texts`, has(isText), setTo(list, ['x'])),
    fault(
      shape,
      `${list}-of-numbers`,
      has((one) => !isJsonObject(one as JsonValue)),
      setTo(list, [1]),
    ),
  ];
}

function firstElementOf(list: string) {
  return always((body: JsonObject) => ({ ...body, [list]: objectsAt(body, list)[0] ?? {} }));
}

function jsonTextOf(list: string) {
  return always((body: JsonObject) => ({ ...body, [list]: JSON.stringify(objectsAt(body, list)) }));
}
