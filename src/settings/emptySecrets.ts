import type { Environment } from '../core/io.ts';
import { fieldIn } from './configSchema.ts';
import { isEmpty } from './environment.ts';
import { rowsOf, type ValuePlace } from './row.ts';
import { settingsTable } from './table.ts';

interface Given {
  readonly content: unknown;
  /** Variables that are set but empty. */
  readonly emptied: readonly string[];
}

/** A config without its optional secrets whose variables are set but empty: CI keeps secrets from builds of forks. */
export function withoutEmptySecrets(content: unknown, { env, sendsNothing = false }: ValuePlace): Given {
  const secrets = rowsOf(settingsTable).filter(({ secret }) => secret === true);
  const optional = secrets.filter(({ refusesEmpty }) => sendsNothing || refusesEmpty !== true);
  return optional.reduce<Given>(
    (given, { field }) => {
      const named = [fieldIn(given.content, { field })].flat();
      const emptied = named.flatMap((name) => emptyVariable(name, env) ?? []);
      if (field === null || emptied.length === 0) return given;
      const left = named.filter((name) => emptyVariable(name, env) === null);
      const value = left.length === 0 ? undefined : left;
      return {
        content: withField(given.content, field.split('.'), value),
        emptied: [...given.emptied, ...emptied],
      };
    },
    { content, emptied: [] },
  );
}

function emptyVariable(text: unknown, env: Environment): string | null {
  const [, name] = /^env:([A-Za-z_]\w*)$/.exec(typeof text === 'string' ? text : '') ?? [];
  return name !== undefined && isEmpty(env, name) ? name : null;
}

function withField(content: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const inner: unknown = Reflect.get(content as object, name);
  return { ...(content as object), [name]: rest.length === 0 ? value : withField(inner, rest, value) };
}
