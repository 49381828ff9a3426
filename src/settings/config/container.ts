import type {
  ContainerSettings,
  ContainerStateHandler,
  StartSettings,
  WaitCondition,
} from '../../core/settings.ts';
import { defaultPort, defaultStartupTimeoutMs } from '../target.ts';
import { accept } from '../values/parsed.ts';
import { parseSecretHeader } from '../values/header.ts';
import { parsePath } from '../values/path.ts';
import type { ParsedContainer, ParsedStart } from './image.ts';
import type { Resolving } from './resolving.ts';
import type { ParsedConfig } from './schema.ts';
import { looksLikeKey, parseSecretReference } from './secretReference.ts';

/** How the image is started, as the config file says it; undefined where it names no more than the image. */
export function containerOf(
  { image }: ParsedConfig,
  resolving: Resolving,
  folder: string,
): ContainerSettings | undefined {
  if (image === undefined || typeof image === 'string') return undefined;
  const port = image.port ?? defaultPort;
  return {
    ...startOf(image, 'image', { resolving, folder, port }),
    port,
    stateHandler: stateHandlerOf(image, resolving, port),
    networks: image.networks ?? [],
    dependencies: (image.dependencies ?? []).map((one, index) => ({
      name: one.name,
      reference: one.reference,
      ...startOf(one, `image.dependencies[${index}]`, { resolving, folder, port: null }),
    })),
    pull: image.pull ?? 'missing',
  };
}

interface Place {
  readonly resolving: Resolving;
  readonly folder: string;
  /** Port that is asked whether it is ready; null where there is none by default. */
  readonly port: number | null;
}

function startOf(given: ParsedStart, field: string, place: Place): StartSettings {
  const { resolving, folder } = place;
  const { reader, at } = resolving;
  const environment = environmentOf(given.environment ?? {}, `${field}.environment`, resolving);
  return {
    environment,
    secrets: Object.entries(environment).flatMap(([name, value]) =>
      given.environment?.[name]?.startsWith('env:') ? [value] : [],
    ),
    command: given.command ?? null,
    waitFor: waitOf(given.waitFor, `${field}.waitFor`, place),
    startupTimeoutMs: given.startupTimeout ?? defaultStartupTimeoutMs,
    files: (given.files ?? []).map(({ source, target }) => ({
      source: reader.read(at(`${field}.files`), source, parsePath(folder)) ?? source,
      target,
    })),
  };
}

function waitOf(
  given: ParsedStart['waitFor'] = {},
  field: string,
  { resolving: { reader, at }, port }: Place,
): WaitCondition {
  const { http, status, log } = given;
  if (http !== undefined && log !== undefined)
    reader.refuse(at(field), 'expected either http or log; got both');
  if (log !== undefined) return { kind: 'log', text: log };
  const asked = given.port ?? port;
  if (asked !== null) return { kind: 'http', port: asked, path: http ?? '/', status: status ?? null };
  if (http !== undefined) reader.refuse(at(field), 'expected a port beside http; got none');
  return { kind: 'started' };
}

function stateHandlerOf(
  { stateHandler }: ParsedContainer,
  { secret }: Resolving,
  port: number,
): ContainerStateHandler | null {
  if (stateHandler === undefined) return null;
  return {
    port: stateHandler.port ?? port,
    path: stateHandler.path ?? '/_state',
    auth: secret('image.stateHandler.auth', stateHandler.auth, parseSecretHeader) ?? null,
  };
}

function environmentOf(
  given: Readonly<Record<string, string>>,
  field: string,
  resolving: Resolving,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, text]) => {
      const value = valueOf(`${field}.${name}`, text, resolving);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function valueOf(field: string, text: string, { reader, at, secret }: Resolving): string | undefined {
  if (text.startsWith('env:'))
    return secret(field, reader.read(at(field), text, parseSecretReference), accept);
  if (!looksLikeKey(text)) return text;
  reader.refuse(
    at(field),
    'expected the name of an environment variable, such as env:GATECHECK_KEYS_PRIMARY, since the value may be a key; got other text (not shown)',
  );
  return undefined;
}
