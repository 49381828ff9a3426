import { type GatecheckError, usageError } from '../core/errors.ts';
import type { Parsed, Parser } from './values/parsed.ts';

/** One thing that is wrong with what the user wrote, and where it stands. */
export interface Problem {
  /** An option, an environment variable, or a file and field. */
  readonly where: string;
  readonly fault: string;
}

/** Reads the values of one source, and collects what is wrong with them instead of stopping at the first. */
export class FieldReader {
  readonly problems: Problem[] = [];

  /** The value, or undefined where the text is absent or refused. */
  read<T>(where: string, text: string | undefined, parse: Parser<T>): T | undefined {
    if (text === undefined) return undefined;
    const parsed = parse(text);
    if (parsed.ok) return parsed.value;
    this.problems.push({ where, fault: faultOf(parsed) });
    return undefined;
  }

  refuse(where: string, fault: string): void {
    this.problems.push({ where, fault });
  }
}

/** The wording of a refused value. */
export function faultOf(refused: Extract<Parsed<never>, { ok: false }>): string {
  return `expected ${refused.expected}; got ${refused.got}`;
}

/** One error for all problems, a line each. */
export function problemsError(problems: readonly Problem[], hint?: string): GatecheckError {
  return usageError(
    'INVALID_SETTINGS',
    problems.map(({ where, fault }) => `${where}: ${fault}`).join('\n'),
    hint,
  );
}
