import type { z } from 'zod';
import type { Problem } from '../problem.ts';
import { suggest } from '../suggest.ts';
import { quote } from '../values/parsed.ts';
import { nodeAt, type SchemaNode } from './jsonSchema.ts';
import { looksLikeKey } from './secretReference.ts';

type Issue = z.core.$ZodIssue;

/** What is wrong with a config, a problem a field: the field, what came, the accepted form and an example. */
export function configProblems(issues: readonly Issue[], config: unknown): readonly Problem[] {
  return issues
    .flatMap(meant(config))
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownField(issue.path, key))
        : [{ where: fieldName(issue.path), fault: faultOf(issue, config) }],
    );
}

/** Of a value with several forms, what is wrong with the form that its author chose. */
function meant(config: unknown): (issue: Issue) => readonly Issue[] {
  return (issue) => {
    if (issue.code !== 'invalid_union' || typeof valueAt(config, issue.path) !== 'object') return [issue];
    const isOther = (one: Issue) => one.path.length === 0 && one.code === 'invalid_type';
    const [chosen, ...others] = issue.errors.filter((branch) => !branch.some(isOther));
    if (chosen === undefined || others.length > 0) return [issue];
    return chosen
      .map((one): Issue => ({ ...one, path: [...issue.path, ...one.path] }))
      .flatMap(meant(config));
  };
}

/** A path as it is written in code: `flights[0].departureDate`. */
export function fieldName(path: readonly PropertyKey[]): string {
  const steps = path.map((step, index) => {
    if (typeof step === 'number') return `[${step}]`;
    return index === 0 ? String(step) : `.${String(step)}`;
  });
  return steps.join('') || 'the whole file';
}

function unknownField(path: readonly PropertyKey[], key: string): Problem {
  const node = nodeAt(path);
  const known = [node, ...(node?.anyOf ?? [])].flatMap((form) => Object.keys(form?.properties ?? {}));
  const meant = suggest(key, known);
  return {
    where: fieldName([...path, key]),
    fault: `no such field${meant === '' ? `; expected one of ${known.join(', ')}` : meant}`,
  };
}

function faultOf(issue: Issue, config: unknown): string {
  if (isSecret(issue.path)) return secretFault;
  if (issue.code === 'custom') return issue.message;
  const got = shown(valueAt(config, issue.path));
  return `expected ${accepted(nodeAt(issue.path))}; got ${got}`;
}

const secretFault =
  'expected the name of an environment variable, such as env:GATECHECK_QA_KEY, since no secret stands in a file; got something else (not shown)';

function isSecret([first, second]: readonly PropertyKey[]): boolean {
  return (first === 'keys' && second !== undefined) || (first === 'stateHandler' && second === 'auth');
}

function valueAt(config: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    config,
  );
}

function shown(value: unknown): string {
  if (typeof value === 'string')
    return looksLikeKey(value) ? 'text that may be a key (not shown)' : quote(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null || value === undefined) return value === null ? 'null' : 'nothing';
  return Array.isArray(value) ? `a list of ${value.length}` : `a value of type ${typeof value}`;
}

function accepted(node: SchemaNode | undefined): string {
  if (node === undefined) return 'another value';
  const [example] = node.examples ?? [];
  const form = node.anyOf?.map(formOf).join(' or ') ?? formOf(node);
  return example === undefined ? form : `${form}, such as ${JSON.stringify(example)}`;
}

function formOf(node: SchemaNode): string {
  if (node.enum) return `one of ${node.enum.map(String).join(', ')}`;
  if (node.type === 'integer') return `a whole number${range(node)}`;
  if (node.type === 'boolean') return 'true or false';
  if (node.type === 'array') return node.items ? `a list, each ${formOf(node.items)}` : 'a list';
  if (node.type === 'object' && node.properties)
    return `an object of ${Object.keys(node.properties).join(', ')}`;
  if (node.format === 'date') return 'a date YYYY-MM-DD';
  return node.type === 'object' ? 'an object' : 'text';
}

function range({ minimum, maximum }: SchemaNode): string {
  const upper = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
  return minimum === undefined ? '' : ` from ${minimum}${upper}`;
}
