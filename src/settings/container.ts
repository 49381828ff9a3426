import { z } from 'zod';
import { annotate } from './annotations.ts';
import { duration, path, whole, words } from './forms.ts';
import type { ValuePlace } from './row.ts';
import { fromVariable, plainOrVariable, secretHeader } from './secretForms.ts';

const defaultPort = 8080;
const defaultStartupTimeoutMs = 60_000;

/** A field of a record, with its explanation. */
function field<S extends z.ZodType>(schema: S, description: string, example?: unknown): S {
  return annotate(schema, { description, ...(example === undefined ? {} : { examples: [example] }) });
}

const port = whole(1, 65_535);
const urlPath = z.string().regex(/^\/[^\s?#]*$/);

const waitFor = z.strictObject({
  http: field(urlPath, 'A path that answers once it is ready.', '/health').optional(),
  status: field(whole(100, 599), 'The status of that answer; by default any.', 200).optional(),
  port: field(port, 'Port of that path, if it is not the port of the APIs.', 8080).optional(),
  log: field(
    words,
    'Text of a line that it logs once it is ready.',
    'Ready to accept connections',
  ).optional(),
});

/** When a container is ready; a `status` of null accepts any answer. */
type WaitCondition =
  | { readonly kind: 'http'; readonly port: number; readonly path: string; readonly status: number | null }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'started' };

/** Fields that every container has. */
function startFields(place: ValuePlace) {
  const name = z.string().regex(/^[A-Za-z_]\w*$/);
  const text = z.string().transform((value) => value);
  const files = z.array(
    z.strictObject({
      source: field(path(place), 'A file of this machine, seen from the config file.', 'test/app.yaml'),
      target: field(urlPath, 'Its path in the container.', '/etc/app.yaml'),
    }),
  );
  return {
    environment: field(
      z.record(name, plainOrVariable(text, text, place)),
      'Its environment; env:NAME for the value of a variable of this machine.',
      { API_KEYS: 'env:GATECHECK_KEYS_PRIMARY' },
    ).optional(),
    command: field(z.array(z.string()).min(1), "Its command, instead of the image's own.", [
      'serve',
      '--test',
    ]).optional(),
    waitFor: field(waitFor, 'When it is ready: an HTTP answer, or a log line.').optional(),
    startupTimeout: field(duration, 'Longest time to get ready.', '60s').optional(),
    files: field(files, 'Files that are put into it.', [
      { source: 'test/app.yaml', target: '/etc/app.yaml' },
    ]).optional(),
  };
}

function dependency(place: ValuePlace) {
  const host = z.string().regex(/^[A-Za-z0-9][\w.-]*$/);
  return z
    .strictObject({
      name: field(host, 'The host name under which the others reach it.', 'redis'),
      reference: field(words, 'Its image.', 'redis:7'),
      ...startFields(place),
    })
    .transform(({ name, reference, ...given }, { issues }) => ({
      name,
      reference,
      ...startOf(given, null, (fault) => issues.push(waitFault(fault))),
    }));
}

function stateHandler(place: ValuePlace) {
  return z.strictObject({
    port: field(port, 'Its port inside the container, if it is not that of the APIs.', 8080).optional(),
    path: field(urlPath, 'Its path.', '/_state').optional(),
    auth: field(
      fromVariable(secretHeader, place),
      'A header for it, in the form Name: value.',
      'env:GATECHECK_QA_STATE_AUTH',
    ).optional(),
  });
}

/** The target's own container, and what it needs around it. */
function container(place: ValuePlace) {
  return z
    .strictObject({
      reference: field(
        words,
        'The image; --image overrides it.',
        'registry.example.com/partner-api:1.4',
      ).optional(),
      port: field(port, `Port of both APIs inside the container (default: ${defaultPort}).`, 8080).optional(),
      ...startFields(place),
      stateHandler: field(stateHandler(place), 'The state handler, if the container offers one.').optional(),
      networks: field(
        z.array(field(words, 'Name of a network.', 'partner-backend')),
        "Networks of the engine that it joins in addition to the run's own.",
        ['partner-backend'],
      ).optional(),
      dependencies: field(
        z.array(dependency(place)),
        'Containers that are started before it, in this order.',
        [{ name: 'redis', reference: 'redis:7', waitFor: { log: 'Ready to accept connections' } }],
      ).optional(),
      pull: field(z.enum(['missing', 'always']), 'When the image is pulled (default: missing).').optional(),
    })
    .transform((given, { issues }) => ({
      reference: given.reference ?? null,
      container: containerOf(given, (fault) => issues.push(waitFault(fault))),
    }));
}

/** The image of the target: its name, or everything about the container. */
export function image(place: ValuePlace) {
  const name = field(words, 'A container image to start.', 'registry.example.com/partner-api:1.4');
  return z.union([name.transform((reference) => ({ reference, container: null })), container(place)]);
}

type Given = Partial<z.output<z.ZodObject<ReturnType<typeof startFields>>>>;
type GivenContainer = Given & {
  readonly port?: number | undefined;
  readonly stateHandler?: z.output<ReturnType<typeof stateHandler>> | undefined;
  readonly networks?: readonly string[] | undefined;
  readonly dependencies?: readonly z.output<ReturnType<typeof dependency>>[] | undefined;
  readonly pull?: 'missing' | 'always' | undefined;
};

/** How a container is started if a file gives only the image, or not even that. */
export function containerOf(given: GivenContainer = {}, refuse: (fault: string) => void = () => undefined) {
  const { port: own = defaultPort, stateHandler: handler } = given;
  return {
    ...startOf(given, own, refuse),
    port: own,
    stateHandler:
      handler === undefined
        ? null
        : { port: handler.port ?? own, path: handler.path ?? '/_state', auth: handler.auth ?? null },
    networks: given.networks ?? [],
    dependencies: given.dependencies ?? [],
    pull: given.pull ?? 'missing',
  } as const;
}

/** `ownPort` is polled for readiness if nothing else is configured; null if there is none. */
function startOf(given: Given, ownPort: number | null, refuse: (fault: string) => void) {
  const environment = Object.entries(given.environment ?? {});
  return {
    environment: Object.fromEntries(environment.map(([name, { value }]) => [name, value])),
    /** Environment values that came from variables of this machine. */
    secrets: environment.flatMap(([, { value, isSecret }]) => (isSecret ? [value] : [])),
    command: given.command ?? null,
    waitFor: waitOf(given.waitFor ?? {}, ownPort, refuse),
    startupTimeoutMs: given.startupTimeout ?? defaultStartupTimeoutMs,
    files: given.files ?? [],
  };
}

function waitOf(
  { http, status, log, port: named }: z.output<typeof waitFor>,
  ownPort: number | null,
  refuse: (fault: string) => void,
): WaitCondition {
  if (http !== undefined && log !== undefined) refuse('expected either http or log; got both');
  if (log !== undefined) return { kind: 'log', text: log };
  const asked = named ?? ownPort;
  if (asked !== null) return { kind: 'http', port: asked, path: http ?? '/', status: status ?? null };
  if (http !== undefined) refuse('expected a port together with http; got none');
  return { kind: 'started' };
}

function waitFault(message: string) {
  return { code: 'custom' as const, message, path: ['waitFor'], input: undefined };
}
