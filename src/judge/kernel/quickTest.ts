import type { z } from 'zod';
import { isObject } from './body.ts';

type Test = (value: unknown) => boolean;

/**
 * A test that a value passes only if the schema accepts it; if it fails, the schema itself has to decide. Nearly all that
 * is judged is right, and needs none of what a parse makes for every member: results, lists of issues, a copy. It reads
 * `_zod.def`, zod's interface for those who inspect schemas, and saves 6 % of a judged exchange (docs/benchmarks.md).
 */
export function quickTest(schema: z.core.$ZodType): Test {
  const test = testOfKind((schema as z.core.$ZodTypes)._zod.def);
  const checks = (schema._zod.def.checks ?? []).map(testOfCheck);
  return checks.length === 0 ? test : (value) => test(value) && checks.every((check) => check(value));
}

const never: Test = () => false;

/** One case per kind of schema, and so longer than other functions. Kinds that no rule uses are left to the schema. */
function testOfKind(def: z.core.$ZodTypes['_zod']['def']): Test {
  // eslint-disable-next-line @typescript-eslint/switch-exhaustiveness-check -- the kinds that rules use, of some forty
  switch (def.type) {
    case 'unknown':
      return (value) => value !== undefined;
    case 'string':
      return 'format' in def ? never : (value) => typeof value === 'string';
    case 'number':
      return 'format' in def ? never : (value) => Number.isFinite(value);
    case 'enum':
      return isOneOf(Object.values(def.entries));
    case 'literal':
      return isOneOf(def.values);
    case 'custom':
      return testOfCheck({ _zod: { def } });
    case 'nullable':
      return orElse(null, quickTest(def.innerType));
    case 'optional':
      return orElse(undefined, quickTest(def.innerType));
    case 'array':
      return arrayOf(quickTest(def.element));
    case 'object':
      return def.catchall === undefined ? objectOf(def.shape) : never;
    default:
      return never;
  }
}

/** A condition of our own; a missing value is left to the schema. */
function testOfCheck({ _zod: { def } }: { readonly _zod: { readonly def: object } }): Test {
  const fn = 'check' in def && def.check === 'custom' && 'fn' in def ? (def.fn as Test) : never;
  return (value) => value !== undefined && fn(value);
}

function isOneOf(values: readonly unknown[]): Test {
  return (value) => value !== undefined && values.includes(value);
}

function orElse(other: null | undefined, test: Test): Test {
  return (value) => value === other || test(value);
}

function arrayOf(test: Test): Test {
  return (value) => Array.isArray(value) && value.every((element) => test(element));
}

function objectOf(shape: Readonly<Record<string, z.core.$ZodType>>): Test {
  const members = Object.entries(shape).map(([name, schema]) => ({ name, test: quickTest(schema) }));
  return (value) => {
    if (!isObject(value)) return false;
    for (const { name, test } of members) if (!test(value[name])) return false;
    return true;
  };
}
