import * as fc from 'fast-check';
import type { OperationId } from '../../core/operations.ts';

/** Body texts that are not a JSON object, sent as `application/json`; each is 400 VALIDATION_ERROR. */
export interface RawBody {
  readonly rule: string;
  readonly name: string;
  readonly body: fc.Arbitrary<string>;
}

type JsonOperation = Extract<OperationId, 'wci.subscribe' | 'wci.update' | 'fla.subscribe'>;

/** The rows of one operation; `valid` is the text of a body that it accepts. */
export function rawBodies(operation: JsonOperation, valid: string): readonly RawBody[] {
  const flight = operation === 'fla.subscribe';
  const broken = flight ? 'SHR-ERR-027' : 'SHR-ERR-012';
  const other = flight ? 'SHR-ERR-027' : 'SHR-ERR-013';
  return [
    { rule: broken, name: 'empty-body', body: fc.constant('') },
    { rule: broken, name: 'opening-brace', body: fc.constant('{') },
    // A mark is skipped or not JSON, and either way nothing is given.
    { rule: broken, name: 'byte-order-mark', body: fc.constant('\ufeff{}') },
    { rule: broken, name: 'cut-off', body: cutOff(valid) },
    {
      rule: broken,
      name: 'not-json',
      body: fc.constantFrom("{'a': 1}", '{"a": 1,}', '{a: 1}', 'a=1&b=2', '<a/>'),
    },
    { rule: other, name: 'array', body: fc.constantFrom('[]', `[${valid}]`) },
    { rule: other, name: 'deep', body: fc.constant(`${'['.repeat(300)}${']'.repeat(300)}`) },
    { rule: other, name: 'scalar', body: fc.constantFrom('"x"', '1', 'true') },
    // As a text, it is read a second time by some.
    { rule: other, name: 'json-text', body: fc.constant(JSON.stringify(valid)) },
    { rule: other, name: 'null', body: fc.constant('null') },
  ];
}

// An object's text is complete only with its last brace.
function cutOff(valid: string): fc.Arbitrary<string> {
  return fc
    .integer({ min: 1, max: Math.max(1, valid.trimEnd().length - 1) })
    .map((end) => valid.slice(0, end));
}
