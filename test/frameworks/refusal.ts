import type { Conventions } from './conventions.ts';

export interface Problem {
  field: string;
  text: string;
}

interface Extra {
  problems?: readonly Problem[];
  more?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Thrown by whatever finds that a request cannot be answered with 200. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: readonly Problem[];
  readonly more: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    text: string,
    { problems = [], more = {}, headers = {} }: Extra = {},
  ) {
    super(text);
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.more = more;
    this.headers = headers;
  }
}

export const invalid = (field: string, text: string): Refusal =>
  new Refusal(400, 'VALIDATION_ERROR', text, { problems: [{ field, text }] });

/** One refusal of all problems found, told as this deployment tells several. */
export function refuseAll(problems: readonly Problem[], { errorCount }: Conventions): void {
  if (problems.length === 0) return;
  const told = errorCount === 'all' ? problems : [errorCount === 'first' ? problems[0] : problems.at(-1)];
  const real = told.filter((each) => each !== undefined);
  const text = real.map((each) => each.text).join(' ');
  throw new Refusal(400, 'VALIDATION_ERROR', text, { problems: real });
}

type Shape = (refusal: Refusal, path: string, now: number) => Record<string, unknown>;

const byField = (problems: readonly Problem[]): Record<string, string[]> => {
  const fields: Record<string, string[]> = {};
  for (const { field, text } of problems) (fields[field] ??= []).push(text);
  return fields;
};

const shapes: Record<Conventions['errorShape'], Shape> = {
  bare: () => ({}),
  spring: (refusal, path, now) => ({ timestamp: new Date(now).toISOString(), status: refusal.status, path }),
  laravel: ({ problems }) => (problems.length > 0 ? { errors: byField(problems) } : {}),
  rails: ({ problems, status }) => ({
    status,
    ...(problems.length > 0 && { errors: problems.map(({ field, text }) => `${field} ${text}`) }),
  }),
  problem: ({ problems, status, code }, path) => ({
    type: `https://tools.ietf.org/html/rfc9110#section-15.5.${status - 399}`,
    title: code,
    status,
    ...(problems.length > 0 && { errors: byField(problems) }),
    traceId: `00-${path.length.toString(16).padStart(32, '0')}-00f067aa0ba902b7-00`,
  }),
  detail: ({ problems }) => ({
    detail: problems.map(({ field, text }) => ({ type: 'value_error', loc: ['body', field], msg: text })),
  }),
  drf: ({ problems, message }) => ({ detail: problems[0]?.text ?? message, code: 'invalid' }),
};

/** The body of an error: what the documents ask for, and what the framework adds. */
export function errorBody(refusal: Refusal, path: string, now: number, conventions: Conventions): object {
  const { status, code, message, more } = refusal;
  const added = shapes[conventions.errorShape](refusal, path, now);
  return { ...added, success: false, error: code, message: message || `HTTP ${status}`, ...more };
}
