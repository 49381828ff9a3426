import { readFile } from 'node:fs/promises';
import { targetError, usageError } from '../../core/errors.ts';
import { isOfShell, requirePlainFile } from '../../core/plainFile.ts';
import type { Redactor } from '../../core/redact.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import type { StateHandler } from '../../target/stateHandler.ts';

/** Where the tenants of a load come from: a number of new enterprises, or a file of keys. */
interface TenantWishes {
  readonly tenants: number | null;
  readonly tenantsFrom: string | null;
}

interface TenantPorts {
  readonly state: StateHandler;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
}

const most = 10_000;
const mostGuarded = 1_000;
/** Number of enterprises that are made at the same time. */
const atOnce = 16;
const units = 1_000_000;

/** The keys of many tenants, one of each; null if none are wanted. */
export async function tenantKeys(
  { tenants, tenantsFrom }: TenantWishes,
  { state, redactor, signal, notice }: TenantPorts,
): Promise<readonly ApiKey[] | null> {
  if (tenantsFrom !== null) {
    const read = await readKeys(tenantsFrom);
    const keys = [...new Set(read)];
    if (keys.length < read.length)
      notice(`${tenantsFrom} has ${read.length} keys, ${keys.length} of them different.`);
    // Keys of a file outlive the load. To find altered forms of more of them would take too much memory.
    const learn = keys.length <= mostGuarded ? 'guard' : 'add';
    return named(keys, (value, label) => redactor[learn](value, label));
  }
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
    for (let index = next++; index < tenants && !signal.aborted; index = next++)
      values[index] = await newTenant(state).catch((cause: unknown) => {
        next = tenants;
        throw notCreated(tenants, { made: values.filter(Boolean).length, cause });
      });
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const made = values.filter(Boolean);
  const different = new Set(made).size;
  // What two tenants with one key see of each other would be blamed on the deployment.
  if (different < made.length)
    throw usageError(
      'TENANTS',
      `--tenants: expected a key of its own for each enterprise of enterprise.create; got ${different} for ${made.length}.`,
    );
  return named(made, (value, label) => redactor.add(value, label));
}

async function newTenant(state: StateHandler): Promise<string> {
  const { keys } = await state.set('enterprise.create', { included_units: units, keys: 1 });
  const key: unknown = Array.isArray(keys) ? keys[0] : undefined;
  if (typeof key !== 'string') throw new Error('its answer holds no key');
  return key;
}

/** Those that were made stay. */
function notCreated(wanted: number, { made, cause }: { readonly made: number; readonly cause: unknown }) {
  return targetError(
    'TENANTS',
    `--tenants: expected ${wanted} enterprises of enterprise.create; got ${made}, and then: ${cause instanceof Error ? cause.message : String(cause)}`,
    'Test the state handler by gatecheck doctor, or give the keys of your tenants with --tenants-from FILE.',
    cause,
  );
}

/** The possible header of the column of keys in a CSV file. */
const headOf = /^(x[-_ ]?)?(api[-_ ]?)?keys?$/i;
const keyForm = /^[\x21-\x7e]{1,512}$/;

/** Keys, one per line, possibly after a name and a comma; a header line may say in which column. */
async function readKeys(file: string): Promise<readonly string[]> {
  if (!isOfShell(file)) requirePlainFile('the file of --tenants-from', file);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw usageError(
      'TENANTS',
      `--tenants-from: expected a file of keys; got ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
    );
  });
  const keys = keysIn(text);
  const fault = keys.find(({ key }) => !keyForm.test(key));
  const different = new Set(keys.map(({ key }) => key)).size;
  if (different < 1 || keys.length > most || fault !== undefined)
    throw usageError(
      'TENANTS',
      `--tenants-from: expected 1 to ${most} keys, one per line; got ${fault === undefined ? (keys.length > most ? keys.length : different) : `something else in line ${fault.line}`}.`,
    );
  return keys.map(({ key }) => key);
}

/** The column that the first line calls so, or else the last one. */
function keysIn(text: string): readonly { readonly key: string; readonly line: number }[] {
  const rows = csvRows(text);
  const column = rows[0]?.cells.findIndex((cell) => headOf.test(cell)) ?? -1;
  return column < 0
    ? rows.map(({ cells, line }) => ({ key: cells.at(-1) ?? '', line }))
    : rows.slice(1).map(({ cells, line }) => ({ key: cells[column] ?? '', line }));
}

/** Each key belongs to its own enterprise: what one sees, no other may. */
function named(values: readonly string[], learn: Redactor['add']): readonly ApiKey[] {
  return values.map((value, index) => {
    const label = `tenant#${index + 1}`;
    learn(value, `key ${label}`);
    return { label, enterprise: label, value };
  });
}

/** A row of a CSV file, and the line on which it begins. */
interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The rows of a CSV file that are not blank. Cells are parted by what parts those of its first line: a comma, a semicolon or a tab. */
function csvRows(text: string): readonly CsvRow[] {
  const separator = separatorOf(text);
  const rows: CsvRow[] = [];
  let [cells, line, begun]: [string[], number, number] = [[], 1, 1];
  for (let at = 0; at <= text.length;) {
    const { value, end } = cellAt(text, at, separator);
    cells.push(value);
    line += text.slice(at, end).split('\n').length - 1;
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
    if (text[end] === separator) continue;
    if (cells.some((cell) => cell !== '')) rows.push({ line: begun, cells });
    [cells, line] = [[], line + 1];
    begun = line;
  }
  return rows;
}

function separatorOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1);
  return /[,;\t]/.exec(first.replace(/"[^"]*"/g, ''))?.[0] ?? ',';
}

const quoted = / *"((?:[^"]|"")*)" */y;
const plain = /[^\r\n,;\t]*/y;

/** A cell in quotes may hold separators, line ends and doubled quotes; if nothing closes it, the quote is a letter like others. */
function cellAt(
  text: string,
  at: number,
  separator: string,
): { readonly value: string; readonly end: number } {
  quoted.lastIndex = at;
  const inQuotes = quoted.exec(text);
  const end = at + (inQuotes?.[0].length ?? 0);
  const isWhole = end >= text.length || [separator, '\r', '\n'].includes(text[end] ?? '');
  if (inQuotes && isWhole) return { value: (inQuotes[1] ?? '').replaceAll('""', '"').trim(), end };
  return plainAt(text, at, separator);
}

function plainAt(text: string, from: number, separator: string) {
  let end = from;
  for (;;) {
    plain.lastIndex = end;
    end += plain.exec(text)?.[0].length ?? 0;
    // The other separators are letters here.
    if (end >= text.length || [separator, '\r', '\n'].includes(text[end] ?? '')) break;
    end += 1;
  }
  return { value: text.slice(from, end).trim(), end };
}
