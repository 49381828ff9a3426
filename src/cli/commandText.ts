import { quotedArgument } from '../core/quotedArgument.ts';
import type { Redactor } from '../core/redact.ts';

/** The command line as reports show it and a shell accepts it, without secrets. */
export function renderCommandLine(
  args: readonly string[],
  redactor: Pick<Redactor, 'redact'>,
  program = 'gatecheck',
): string {
  return redactor.redact([program, ...args.map((arg) => quotedArgument(withoutQuery(arg)))].join(' '));
}

/** The query of an address may contain a token. */
function withoutQuery(arg: string): string {
  return arg.replace(/^((?:--[\w-]+=)?https?:\/\/[^?]*\?).*$/s, '$1…');
}
