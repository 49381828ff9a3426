import type { z } from 'zod';
import { isObject } from './body.ts';
import { holds, differs } from './judgement.ts';
import { quickTest } from './quickTest.ts';
import * as is from '../../spec/kernel/value.ts';
import { type Sample, sampleOf } from './sample.ts';

/** A requirement for the shape of a value, judged by a contract schema. */
export interface Rule {
  readonly requirement: string;
  /** `at` is the path of the value in the body, such as `data[3]`; left out for the body itself. */
  readonly judge: (value: unknown, at?: string) => Sample;
}

/** Turns a schema into a rule: the first issue becomes what was expected and, with its path, what came. */
export function rule(requirement: string, schema: z.ZodType): Rule {
  const isSurelyRight = quickTest(schema);
  const right = sampleOf(requirement, holds);
  return {
    requirement,
    judge: (value, at = '') => {
      if (isSurelyRight(value)) return right;
      const result = schema.safeParse(withShortLists(value));
      const issue = result.error?.issues[0];
      return issue ? violationOf(requirement, issue, value, at) : right;
    },
  };
}

/** Items of a list whose shape is judged. A page has 100 at most; the schema makes some kilobytes of each wrong item. */
const mostItems = 1000;

/** The value itself, unless a list in it or in one of its members is longer than what is judged. */
function withShortLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > mostItems ? value.slice(0, mostItems) : value;
  if (!isObject(value)) return value;
  const long = Object.entries(value).filter(([, own]) => Array.isArray(own) && own.length > mostItems);
  if (long.length === 0) return value;
  return { ...value, ...Object.fromEntries(long.map(([name, own]) => [name, withShortLists(own)])) };
}

type Issue = z.core.$ZodIssue;

function violationOf(requirement: string, issue: Issue, value: unknown, at: string): Sample {
  const found = issue.path.reduce<unknown>(stepInto, value);
  return sampleOf(
    requirement,
    differs(codeOf(issue), pathOf(at, issue.path), expectationOf(issue), is.value(found)),
  );
}

/** The member that is wrong, at any position in a list: `shape:pagination.total`. */
function codeOf({ path }: Issue): string {
  return ['shape', path.filter((step) => typeof step === 'string').join('.')].filter(Boolean).join(':');
}

function stepInto(value: unknown, step: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<PropertyKey, unknown>)[step]
    : undefined;
}

function pathOf(at: string, path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return `${at}${steps}`.replace(/^\./, '') || 'body';
}

function expectationOf(issue: Issue): is.Value {
  if (issue.code === 'invalid_type') return is.type(issue.expected === 'int' ? 'integer' : issue.expected);
  return issue.code === 'invalid_value' ? is.oneOf(...issue.values) : is.pattern(issue.message);
}

/** A value of a body as text for people: short, and with its type visible. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(Array.isArray(value) ? value.slice(0, 120) : value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
