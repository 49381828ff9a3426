import { z } from 'zod';
import { parseDuration } from '../values/duration.ts';
import { parseNonEmpty } from '../values/nonEmpty.ts';
import { formatted } from './formatted.ts';
import { parseSecretReference } from './secretReference.ts';

const text = (description: string, ...examples: string[]) =>
  formatted(parseNonEmpty, { description, examples });
const port = (description: string) =>
  z
    .int()
    .min(1)
    .max(65_535)
    .meta({ description, examples: [8080] });
const urlPath = (description: string, example: string) =>
  z
    .string()
    .regex(/^\/[^\s?#]*$/)
    .meta({ description, examples: [example] });

const waitFor = z
  .strictObject({
    http: urlPath('A path that is answered once it is ready.', '/health').optional(),
    status: z
      .int()
      .min(100)
      .max(599)
      .meta({ description: 'The status of that answer; any without it.', examples: [200] })
      .optional(),
    port: port('Port of that path, where it is not the port of the APIs.').optional(),
    log: text('Text of a line that it logs once it is ready.', 'Ready to accept connections').optional(),
  })
  .meta({ description: 'When it is ready: an HTTP answer, or a log line.' });

const start = {
  environment: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/), z.string())
    .meta({
      description: 'Its environment; env:NAME for the value of a variable of this machine.',
      examples: [{ API_KEYS: 'env:GATECHECK_KEYS_PRIMARY' }],
    })
    .optional(),
  command: z
    .array(z.string())
    .min(1)
    .meta({ description: "Its command, instead of the image's own.", examples: [['serve', '--test']] })
    .optional(),
  waitFor: waitFor.optional(),
  startupTimeout: formatted(parseDuration, {
    description: 'Longest time to get ready.',
    examples: ['60s'],
  }).optional(),
  files: z
    .array(
      z.strictObject({
        source: text('A file of this machine, seen from the config file.', 'test/app.yaml'),
        target: urlPath('Its path in the container.', '/etc/app.yaml'),
      }),
    )
    .meta({
      description: 'Files that are put into it.',
      examples: [[{ source: 'test/app.yaml', target: '/etc/app.yaml' }]],
    })
    .optional(),
};

const dependency = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]*$/)
    .meta({ description: 'The host name under which the others reach it.', examples: ['redis'] }),
  reference: text('Its image.', 'redis:7'),
  ...start,
});

const stateHandler = z.strictObject({
  port: port('Its port inside the container, where it is not that of the APIs.').optional(),
  path: urlPath('Its path.', '/_state').optional(),
  auth: formatted(parseSecretReference, {
    description: 'A header for it, in the form Name: value.',
    examples: ['env:GATECHECK_QA_STATE_AUTH'],
  }).optional(),
});

const container = z.strictObject({
  reference: text('The image; --image comes before it.', 'registry.example.com/partner-api:1.4').optional(),
  port: port('Port of both APIs inside the container (default: 8080).').optional(),
  ...start,
  stateHandler: stateHandler
    .meta({ description: 'The state handler, where the container offers one.' })
    .optional(),
  networks: z
    .array(text('Name of a network.', 'partner-backend'))
    .meta({
      description: "Networks of the engine that it joins besides the run's own.",
      examples: [['partner-backend']],
    })
    .optional(),
  dependencies: z
    .array(dependency)
    .meta({
      description: 'Containers that are started before it, in this order.',
      examples: [[{ name: 'redis', reference: 'redis:7', waitFor: { log: 'Ready to accept connections' } }]],
    })
    .optional(),
  pull: z
    .enum(['missing', 'always'])
    .meta({ description: 'When the image is pulled (default: missing).' })
    .optional(),
});

/** The image of the target: its name, or all about the container. */
export const imageSchema = z
  .union([text('A container image to start.', 'registry.example.com/partner-api:1.4'), container])
  .meta({
    description: 'A container image to start, and how.',
    examples: ['registry.example.com/partner-api:1.4'],
  });

/** What containers have in common, as it was read. */
export type ParsedStart = Pick<z.output<typeof dependency>, keyof typeof start>;
export type ParsedContainer = z.output<typeof container>;
