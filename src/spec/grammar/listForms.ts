import { objectsAt, type JsonObject } from '../kit/json.ts';
import { always, setTo } from '../kit/mutation.ts';
import {
  fault,
  is,
  isEmpty,
  isList,
  isObject,
  isText,
  like,
  listWith,
  missing,
  not,
  open,
  type Form,
} from './form.ts';

/** The forms of a list of flights or passengers, by the rules for one that is missing, empty or of another shape. */
export function listForms(
  list: string,
  rules: readonly [missing: string, empty: string, shape: string],
): readonly Form[] {
  const [none, empty, shape] = rules;
  const isPart: Form['fits'] = (value, { carrier }) => isText(value) && carrier === 'multipart';
  return [
    ...missing(fault, none, list),
    // In a multipart body the list is text by design.
    open(`${list}-as-text-in-a-part`, isPart, setTo(list, 'x')),
    // What a reader of parts would take for the list.
    fault(shape, `${list}-as-json-text`, like(/^\s*\[/), jsonTextOf(list)),
    fault(shape, `${list}-as-text`, isText, setTo(list, 'x')),
    // What a form of the web is read as.
    fault(shape, `${list}-as-numbered-object`, isNumbered, numbered(list)),
    fault(shape, `${list}-as-object`, not(isList), firstElementOf(list)),
    fault(empty, `empty-${list}`, isEmpty, setTo(list, [])),
    fault(shape, `${list}-of-null`, listWith(is(null)), setTo(list, [null])),
    fault(shape, `${list}-of-texts`, listWith(isText), setTo(list, ['x'])),
    // Some validators see no element in it that could have a fault.
    fault(shape, `${list}-of-empty-lists`, listWith(isEmpty), setTo(list, [[]])),
    fault(shape, `${list}-of-lists`, listWith(isList), nested(list)),
    fault(shape, `${list}-of-numbers`, listWith(not(isObject)), setTo(list, [1])),
  ];
}

function firstElementOf(list: string) {
  return always((body: JsonObject) => ({ ...body, [list]: objectsAt(body, list)[0] ?? {} }));
}

function isNumbered(value: unknown): boolean {
  return isObject(value) && Object.keys(value)[0] === '0';
}

/** Its elements as members of an object, by their numbers. */
function numbered(list: string) {
  return always((body: JsonObject) => ({
    ...body,
    [list]: Object.fromEntries(objectsAt(body, list).entries()),
  }));
}

/** Its elements a level too deep, as a reader that flattens lists takes them all the same. */
function nested(list: string) {
  return always((body: JsonObject) => ({ ...body, [list]: [objectsAt(body, list)] }));
}

function jsonTextOf(list: string) {
  return always((body: JsonObject) => ({ ...body, [list]: JSON.stringify(objectsAt(body, list)) }));
}
