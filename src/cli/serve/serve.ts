import { lstat, writeFile } from 'node:fs/promises';
import { systemClock } from '../../core/clock.ts';
import { exitCodes, usageError, type ExitCode } from '../../core/errors.ts';
import { listenError } from '../../core/listenFault.ts';
import { createDeployment, type Deployment } from '../../reference/deployment.ts';
import { defaultEnterprises, type DefaultKeys } from '../../reference/enterprises.ts';
import { listen, type Listening } from '../../reference/listen.ts';
import { documentedPolicy, type Policy } from '../../reference/policy.ts';
import type { Io } from '../../core/io.ts';
import type { ServeSettings } from './table.ts';
import { plainPalette, type Palette } from '../../core/palette.ts';
import { oneLine, shorten } from '../../report/text/printable.ts';
import { writeWhole } from '../../report/writeWhole.ts';

/** What `serve` runs. */
export interface Sandbox extends ServeSettings {
  readonly policy: Partial<Policy>;
}

/** Runs the reference deployment until an interrupt, with a log line for each request on stderr. */
export async function serve(settings: Sandbox, { stdout, stderr, onInterrupt }: Io): Promise<ExitCode> {
  const { enterprises, keys } = defaultEnterprises(settings.seed);
  const deployment = createDeployment({ ...deploymentOptions(settings), enterprises });
  const log = logged(
    deployment,
    keyLabels(keys, (key) => deployment.knowsKey(key)),
    (entry) => stderr.write(`${renderServed(entry, stderr.palette)}\n`),
  );
  const listening = await open(log, settings);
  if (settings.envFile !== null) await writeExports(settings.envFile, renderExports(listening, keys));
  stdout.write(renderBanner(listening, keys, stdout.palette));
  await new Promise<void>((resolve) => onInterrupt(resolve));
  return exitCodes.ok;
}

function deploymentOptions({ policy, limits, seed, clockOffsetMs }: Sandbox) {
  const clock = { ...systemClock, now: () => systemClock.now() + clockOffsetMs };
  return { policy: { ...documentedPolicy, ...policy }, limits, seed, clock };
}

async function open(deployment: Deployment, settings: Sandbox): Promise<Listening> {
  try {
    return await listen(deployment, settings);
  } catch (cause) {
    throw listenError({ ...settings, hostOption: '--host', portOption: '--port' }, cause);
  }
}

/** Number of keys of each enterprise that are shown; the sandbox has more. */
const shown = { primary: 8, other: 2 } as const;

/** The keys of a sandbox by the variable that passes them to a run. */
function variablesOf(keys: DefaultKeys): readonly (readonly [name: string, value: string])[] {
  return [
    ['GATECHECK_KEYS_PRIMARY', keys.primary.slice(0, shown.primary).join(',')],
    ['GATECHECK_KEYS_OTHER', keys.other.slice(0, shown.other).join(',')],
    ['GATECHECK_KEY_REVOKED', keys.revoked],
    ['GATECHECK_KEY_DISABLED', keys.disabled],
    ['GATECHECK_KEY_NO_ENTITLEMENT', keys.noEntitlement],
    ['GATECHECK_KEY_SUSPENDED', keys.suspended],
    ['GATECHECK_KEY_EXHAUSTED', keys.exhausted],
  ];
}

/** The variables that a run in another terminal needs, for its shell. */
function renderExports(
  { url, stateHandlerUrl }: Pick<Listening, 'url' | 'stateHandlerUrl'>,
  keys: DefaultKeys,
): readonly string[] {
  const state = stateHandlerUrl === null ? [] : [['GATECHECK_STATE_HANDLER', stateHandlerUrl] as const];
  const variables = [['GATECHECK_TARGET', url] as const, ...state, ...variablesOf(keys)];
  return variables.map(([name, value]) => `export ${name}='${value}'`);
}

/** What `serve` prints at the start: the address, the sandbox's own keys ready to paste, and one request to try. */
export function renderBanner(
  listening: Pick<Listening, 'url' | 'stateHandlerUrl'>,
  keys: DefaultKeys,
  { bold, dim, cyan }: Palette = plainPalette,
): string {
  const { url, stateHandlerUrl } = listening;
  const [key = ''] = keys.primary;
  return [
    bold(`Both APIs at ${url}`),
    stateHandlerUrl === null
      ? dim('No state handler (--state-handler offers one)')
      : `State handler at ${stateHandlerUrl}`,
    '',
    dim('# sandbox keys by role, for another terminal; then: gatecheck run'),
    ...renderExports(listening, keys),
    '',
    dim('# try it'),
    cyan(`curl -s -H 'X-API-Key: ${key}' ${url}/extPartner/api/webcheckin/requests`),
    '',
    dim('Ctrl-C stops it.'),
    '',
  ].join('\n');
}

/** Names a key of the sandbox by its role, such as `primary#1`; those that its state handler made are `issued key`. */
export function keyLabels(
  keys: DefaultKeys,
  isKey: (value: string) => boolean,
): (key: string | null) => string {
  const { primary, other, ...single } = keys;
  const labels = new Map<string, string>([
    ...primary.map((key, index) => [key, `primary#${index + 1}`] as const),
    ...other.map((key, index) => [key, `other#${index + 1}`] as const),
    ...Object.entries(single).map(([role, key]) => [key, role] as const),
  ]);
  return (key) =>
    key === null ? 'no key' : (labels.get(key) ?? (isKey(key) ? 'issued key' : 'unknown key'));
}

/** One answered request, as the log shows it. */
interface ServedRequest {
  readonly at: Date;
  readonly method: string;
  readonly target: string;
  readonly key: string;
  readonly status: number;
  /** The `error` of the body, null if there is none. */
  readonly error: string | null;
  readonly durationMs: number;
}

/** The same deployment, which reports every request that it has answered, including those to unknown paths. */
function logged(
  deployment: Deployment,
  label: (key: string | null) => string,
  log: (entry: ServedRequest) => void,
): Deployment {
  return {
    ...deployment,
    fetch: async (request, info) => {
      const started = performance.now();
      const { pathname, search } = new URL(request.url);
      const response = await deployment.fetch(request, info);
      log({
        at: new Date(),
        method: request.method,
        target: pathname + search,
        key: label(request.headers.get('x-api-key')),
        status: response.status,
        error: await errorOf(response),
        durationMs: performance.now() - started,
      });
      return response;
    },
  };
}

/** `12:00:03.250  GET /extPartner/api/…  primary#1  404 NOT_FOUND  3 ms` */
export function renderServed(entry: ServedRequest, palette: Palette = plainPalette): string {
  const { at, method, target, key, status, error, durationMs } = entry;
  const time = at.toISOString().slice(11, 23);
  const paint = status < 400 ? palette.green : status < 500 ? palette.yellow : palette.red;
  const outcome = paint(error === null ? String(status) : `${status} ${oneLine(shorten(error, 60))}`);
  const request = `${method.padEnd(4)} ${oneLine(shorten(target, 200))}`;
  return `${palette.dim(time)}  ${request}  ${palette.dim(key)}  ${outcome}  ${palette.dim(`${Math.round(durationMs)} ms`)}`;
}

async function errorOf(response: Response): Promise<string | null> {
  if (response.status < 400) return null;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return typeof error === 'string' ? error : null;
}

/** Readable only by the user: nobody else needs the keys. Whoever waits for the file finds it complete. */
export async function writeExports(file: string, lines: readonly string[]): Promise<void> {
  const write = (path: string) => writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  const isSpecial = await lstat(file).then(
    (found) => !found.isFile(),
    () => false,
  );
  // A link, a pipe or /dev/stdout is kept as it is.
  await (isSpecial ? write(file) : writeWhole(file, write)).catch(() => {
    throw usageError('CANNOT_WRITE', `--env: expected a file that can be written; got ${file}`);
  });
}
