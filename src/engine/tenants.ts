import { readFile } from 'node:fs/promises';
import { usageError } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import type { ApiKey } from '../send/keyRing.ts';
import type { StateHandler } from '../target/stateHandler.ts';

/** Where the tenants of a load come from: a number of new enterprises, or a file of keys. */
interface TenantWishes {
  readonly tenants: number | null;
  readonly tenantsFrom: string | null;
  /** Share of one noisy tenant; null for none. */
  readonly noisyShare: number | null;
}

interface TenantPorts {
  readonly state: StateHandler;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
}

const most = 10_000;
/** Number of enterprises that are made at the same time. */
const atOnce = 16;
const units = 1_000_000;

/** The keys of many tenants, one of each; null if none are wanted. */
export async function tenantKeys(
  { tenants, tenantsFrom, noisyShare }: TenantWishes,
  { state, redactor, signal, notice }: TenantPorts,
): Promise<readonly ApiKey[] | null> {
  if (tenantsFrom !== null) return named(await readKeys(tenantsFrom, noisyShare === null ? 1 : 2), redactor);
  if (tenants === null) return null;
  if (!state.offers('enterprise.create'))
    throw usageError(
      'TENANTS',
      '--tenants: expected a state handler that offers enterprise.create; there is none.',
      'Give the keys of your tenants with --tenants-from FILE, one key per line.',
    );
  notice(`Creating ${tenants} enterprises through the state handler.`);
  const values = new Array<string>(tenants);
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < tenants && !signal.aborted; index = next++) {
      const { keys } = await state.set('enterprise.create', { included_units: units, keys: 1 });
      const key: unknown = Array.isArray(keys) ? keys[0] : undefined;
      if (typeof key !== 'string')
        throw usageError('TENANTS', '--tenants: expected a key of enterprise.create; got none.');
      values[index] = key;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return named(values.filter(Boolean), redactor);
}

/** The possible header of the column of keys in a CSV file. */
const headOf = /^(x[-_ ]?)?(api[-_ ]?)?keys?$/i;

/** Keys, one per line, possibly after a name and a comma, and after a header line. */
async function readKeys(file: string, least: number): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw usageError(
      'TENANTS',
      `--tenants-from: expected a file of keys; got ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
    );
  });
  const cells = text
    .split(/\r?\n/)
    .map(
      (line) =>
        line
          .split(',')
          .at(-1)
          ?.trim()
          .replace(/^"(.*)"$/, '$1') ?? '',
    )
    .filter((key) => key !== '');
  const keys = headOf.test(cells[0] ?? '') ? cells.slice(1) : cells;
  const fault = keys.findIndex((key) => !/^[\x21-\x7e]{1,512}$/.test(key));
  if (new Set(keys).size < least || keys.length > most || fault >= 0)
    throw usageError(
      'TENANTS',
      `--tenants-from: expected ${least} to ${most} keys${least > 1 ? ', as --noisy needs' : ''}, one per line; got ${fault >= 0 ? `something else as number ${fault + 1}` : new Set(keys).size}.`,
    );
  return [...new Set(keys)];
}

/** Each key belongs to its own enterprise: what one sees, no other may. */
function named(values: readonly string[], redactor: Redactor): readonly ApiKey[] {
  return values.map((value, index) => {
    const label = `tenant#${index + 1}`;
    redactor.add(value, `key ${label}`);
    return { label, enterprise: label, value };
  });
}
