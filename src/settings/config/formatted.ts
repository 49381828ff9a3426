import { z } from 'zod';
import { faultOf } from '../problem.ts';
import type { Parser } from '../values/parsed.ts';

interface Explained {
  readonly description: string;
  readonly examples: readonly string[];
}

/** Text of the config file in one of the forms that the command line accepts too. */
export function formatted<T>(parse: Parser<T>, { description, examples }: Explained) {
  return z
    .string()
    .meta({ description, examples: [...examples] })
    .transform((text, context): T => {
      const parsed = parse(text);
      if (parsed.ok) return parsed.value;
      context.issues.push({ code: 'custom', message: faultOf(parsed), input: undefined });
      return z.NEVER;
    });
}
