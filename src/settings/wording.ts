import type { z } from 'zod';
import type { SchemaNode } from './annotations.ts';
import type { Problem } from './problem.ts';
import { quote } from './quote.ts';
import { suggest } from '../core/suggest.ts';

type Issue = z.core.$ZodIssue;

/** What zod refused, and the value it was given. */
interface Refused {
  readonly issues: readonly Issue[];
  readonly given: unknown;
  /** What would have been accepted. */
  readonly node: SchemaNode;
}

/** What is wrong with a value, one problem per field: the field, the accepted form with an example, and what came. */
export function problemsOf({ issues, given, node }: Refused): readonly Problem[] {
  return issues
    .flatMap(meant(given))
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownField(issue.path, key, node))
        : [{ where: fieldName(issue.path), fault: faultOf(issue, given, node) }],
    );
}

/** For a value with several forms, what is wrong with the form that its author chose. */
function meant(given: unknown): (issue: Issue) => readonly Issue[] {
  return (issue) => {
    if (issue.code !== 'invalid_union') return [issue];
    const isOther = (one: Issue) => one.path.length === 0 && one.code === 'invalid_type';
    const [chosen, ...others] = issue.errors.filter((branch) => !branch.some(isOther));
    if (chosen === undefined || others.length > 0) return [issue];
    return chosen.map((one): Issue => ({ ...one, path: [...issue.path, ...one.path] })).flatMap(meant(given));
  };
}

/** A path as written in code: `flights[0].departureDate`; empty for the value itself. */
export function fieldName(path: readonly PropertyKey[]): string {
  const steps = path.map((step, index) => {
    if (typeof step === 'number') return `[${step}]`;
    return index === 0 ? String(step) : `.${String(step)}`;
  });
  return steps.join('');
}

function unknownField(path: readonly PropertyKey[], key: string, root: SchemaNode): Problem {
  const node = nodeAt(path, root);
  const known = [node, ...(node?.anyOf ?? [])].flatMap((form) => Object.keys(form?.properties ?? {}));
  const fault = `no such field${suggest(key, known) || `; expected one of ${known.join(', ')}`}`;
  return { where: fieldName([...path, key]), fault };
}

function faultOf(issue: Issue, given: unknown, root: SchemaNode): string {
  if (issue.code === 'custom') return issue.message;
  const value = valueAt(given, issue.path);
  const got = isSecretAt(issue.path, root) ? 'something else (not shown)' : shown(value);
  return `expected ${expected(nodeAt(issue.path, root), value)}; got ${got}`;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    given,
  );
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null || value === undefined) return value === null ? 'null' : 'nothing';
  return Array.isArray(value) ? `a list of ${value.length}` : `a value of type ${typeof value}`;
}

function expected(node: SchemaNode | undefined, value: unknown): string {
  if (node === undefined) return 'another value';
  const [example] = node.examples ?? [];
  const form = node.anyOf?.map((branch) => formOf(branch, value)).join(' or ') ?? formOf(node, value);
  const isPlain = node.enum !== undefined || node.type === 'boolean' || form.includes('such as');
  return example === undefined || isPlain ? form : `${form}, such as ${exampleText(example)}`;
}

function exampleText(example: unknown): string {
  return typeof example === 'number' ? String(example) : JSON.stringify(example);
}

function formOf(node: SchemaNode, value: unknown): string {
  if (node.expected !== undefined) return node.expected;
  if (node.enum) {
    const choices = node.enum.map(String);
    return `one of ${choices.join(', ')}${typeof value === 'string' ? suggest(value, choices) : ''}`;
  }
  if (node.type === 'integer') return `a whole number${range(node)}`;
  if (node.type === 'boolean') return 'true or false';
  if (node.type === 'array') return node.items ? `a list, each ${formOf(node.items, value)}` : 'a list';
  if (node.type === 'object' && node.properties)
    return `an object of ${Object.keys(node.properties).join(', ')}`;
  if (node.format === 'date') return 'a date YYYY-MM-DD';
  return node.type === 'object' ? 'an object' : 'text';
}

function range({ minimum, maximum }: SchemaNode): string {
  const upper = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
  return minimum === undefined ? '' : ` from ${minimum}${upper}`;
}

function isSecretAt(path: readonly PropertyKey[], root: SchemaNode): boolean {
  return path.some((_, index) => nodeAt(path.slice(0, index + 1), root)?.isSecret === true);
}

/** The node that describes the field at a path; undefined if there is none. */
function nodeAt(path: readonly PropertyKey[], root: SchemaNode): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>((node, step) => node && child(node, step), root);
}

function child(node: SchemaNode, step: PropertyKey): SchemaNode | undefined {
  const own = typeof step === 'number' ? node.items : (node.properties?.[String(step)] ?? additional(node));
  return own ?? node.anyOf?.map((branch) => child(branch, step)).find((found) => found !== undefined);
}

function additional(node: SchemaNode): SchemaNode | undefined {
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
}
