import { usageError } from './errors.ts';

/** Packages that only some commands need, and that users of those commands install themselves. */
const optional = ['testcontainers', 'bullmq', 'ioredis'] as const;

/** Imports a module that needs optional packages; if one is missing, the error says how to install it. `use` says what needs it. */
export async function importing<T>(use: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const missing = missingOf(cause);
    if (missing === undefined) throw cause;
    throw usageError(
      'MISSING_PACKAGE',
      `expected the package ${missing}, which ${use} needs; got none`,
      `Install it next to Gatecheck: npm install --save-dev ${use.includes('workers') ? 'bullmq ioredis' : missing}`,
    );
  }
}

function missingOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'ERR_MODULE_NOT_FOUND')
    return undefined;
  return optional.find((name) => cause.message.includes(`'${name}'`));
}
