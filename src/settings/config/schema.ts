import { z } from 'zod';
import { apis } from '../../core/operations.ts';
import { profiles } from '../../core/settings.ts';
import { parseDuration } from '../values/duration.ts';
import { parseHostPort } from '../values/hostPort.ts';
import { parseNonEmpty } from '../values/nonEmpty.ts';
import { largestSeed } from '../values/number.ts';
import { parseShare } from '../values/share.ts';
import { parseTarget } from '../values/target.ts';
import { parseBaseUrl, parseUrl } from '../values/url.ts';
import { formatted } from './formatted.ts';
import { imageSchema } from './image.ts';
import { itinerariesSchema, knownFlightSchema } from './knownData.ts';
import { parseSecretReference } from './secretReference.ts';

const text = (description: string, ...examples: string[]) =>
  formatted(parseNonEmpty, { description, examples });
const url = (description: string) =>
  formatted(parseBaseUrl, { description, examples: ['https://qa.example.com'] });
const duration = (description: string, example: string) =>
  formatted(parseDuration, { description, examples: [example] });
const secret = (description: string, example: string) =>
  formatted(parseSecretReference, { description, examples: [`env:${example}`] });
const secrets = (description: string, example: string) =>
  z.union([secret(description, example), z.array(secret(description, example)).min(1)]).meta({
    description,
    examples: [`env:${example}`, [`env:${example}_1`, `env:${example}_2`]],
  });
const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });
const positive = (description: string, example: number) =>
  z
    .int()
    .min(1)
    .meta({ description, examples: [example] });
const flag = (description: string) => z.boolean().meta({ description, examples: [true] });

const budgets = z.strictObject({
  maxRequests: positive('Send at most so many requests.', 500).optional(),
  maxQuota: count('Spend at most so many quota units.', 20).optional(),
  maxSubscriptions: count('Leave at most so many flight subscriptions.', 20).optional(),
  maxDuration: duration('Take at most so long.', '15m').optional(),
});

const keys = z.strictObject({
  primary: secrets('Active keys of one enterprise.', 'GATECHECK_QA_KEY').optional(),
  other: secrets('Active keys of another enterprise.', 'GATECHECK_QA_OTHER_KEY').optional(),
  revoked: secret('A key that must get 401.', 'GATECHECK_QA_REVOKED').optional(),
  disabled: secret('A key that must get 401.', 'GATECHECK_QA_DISABLED').optional(),
  noEntitlement: secret('A key that must get 402 on subscribe.', 'GATECHECK_QA_BARE').optional(),
  suspended: secret('A key that must get 402 on subscribe.', 'GATECHECK_QA_SUSPENDED').optional(),
  exhausted: secret('A key that must get 402 on subscribe.', 'GATECHECK_QA_EXHAUSTED').optional(),
});

const stateHandler = z.strictObject({
  url: formatted(parseUrl, {
    description: 'Address of the state handler.',
    examples: ['https://qa.example.com/_state'],
  }),
  auth: secret('A header for it, in the form Name: value.', 'GATECHECK_QA_STATE_AUTH').optional(),
});

const sink = z.strictObject({
  listen: formatted(parseHostPort, {
    description: 'Where the callback sink listens.',
    examples: ['127.0.0.1:0'],
  }).optional(),
  publicUrl: url('Under which address the target reaches the sink.').optional(),
  cert: text('Certificate of the sink, a PEM file.', 'certs/sink.pem').optional(),
  key: text('Private key of that certificate, a PEM file.', 'certs/sink.key').optional(),
});

const limits = z.strictObject({
  perMinute: positive('Requests per key and minute.', 60).optional(),
  perHour: positive('Requests per key and hour.', 1000).optional(),
});

const http = z.strictObject({
  connectTimeout: duration('Longest time to connect.', '10s').optional(),
  responseTimeout: duration('Longest time from sending to the last byte of the response.', '30s').optional(),
  maxBodyBytes: positive('Bytes of a response body that are read.', 4_194_304).optional(),
  proxy: text(
    'Proxy to send through; env:NAME where it holds credentials.',
    'http://proxy.example.com:3128',
  ).optional(),
  extraCa: text('Extra certificate authorities, a PEM file.', 'certs/ca.pem').optional(),
  headers: z
    .record(z.string(), z.string())
    .meta({
      description: 'Extra headers of every request; env:NAME for a secret.',
      examples: [{ 'X-Environment': 'qa' }],
    })
    .optional(),
});

/** The config file: strict, every field optional. */
export const configSchema = z
  .strictObject({
    $schema: z.string().meta({ description: 'JSON Schema of this file, for editors.' }).optional(),
    target: formatted(parseTarget, {
      description: 'A running deployment; without it, the embedded reference.',
      examples: ['https://qa.example.com'],
    }).optional(),
    image: imageSchema.optional(),
    baseUrls: z
      .strictObject({
        webcheckin: url('Address of the Web Check-in API.').optional(),
        'flight-alerts': url('Address of the Flight Alerts API.').optional(),
      })
      .meta({ description: 'Where the two APIs have different hosts.' })
      .optional(),
    apis: z
      .array(z.enum(apis))
      .min(1)
      .meta({ description: 'Which APIs the target has.', examples: [['webcheckin']] })
      .optional(),
    profile: z.enum(profiles).meta({ description: 'How much to check.' }).optional(),
    seed: z
      .int()
      .min(0)
      .max(largestSeed)
      .meta({ description: 'Random seed.', examples: [42] })
      .optional(),
    only: z
      .array(text('A requirement id, check id or tag, * allowed.', 'WCI-STS-*'))
      .meta({ description: 'What to check; everything without it.', examples: [['WCI-STS-*']] })
      .optional(),
    budgets: budgets.meta({ description: 'Hard budgets, never exceeded.' }).optional(),
    readOnly: flag('Send GET only.').optional(),
    require: z
      .array(text('A capability.', 'second-key'))
      .meta({ description: 'Gate: the target has these capabilities.', examples: [['second-key']] })
      .optional(),
    minMust: formatted(parseShare, {
      description: 'Gate: this share of the must-requirements was judged.',
      examples: ['80%'],
    }).optional(),
    stateHandler: stateHandler.meta({ description: "The deployment's state handler." }).optional(),
    sink: sink.meta({ description: 'The callback sink.' }).optional(),
    reportDir: text('Where the reports go.', 'reports/qa').optional(),
    baseline: text('File of known failures.', 'gatecheck.baseline.json').optional(),
    strict: flag('Also exit non-zero on warnings and on a partial verdict.').optional(),
    keys: keys.meta({ description: 'API keys, each as env:NAME.' }).optional(),
    itineraries: itinerariesSchema.optional(),
    flights: z
      .array(knownFlightSchema)
      .meta({ description: 'Flights and dates that the target is known to serve.' })
      .optional(),
    limits: limits
      .meta({ description: 'Rate limits of the environment, where they are not 60 and 1000.' })
      .optional(),
    openPoints: z
      .record(z.string(), z.string())
      .meta({
        description: 'Open points pinned to a variant: from then on they are checks.',
        examples: [{ 'SHR-OPN-002': 'not-counted' }],
      })
      .optional(),
    http: http.meta({ description: 'How requests are sent.' }).optional(),
  })
  .meta({ title: 'Gatecheck config', description: 'Config file of Gatecheck.' });

/** The config as its author writes it. */
export type Config = z.input<typeof configSchema>;
/** The config as it was read: every value in the form that settings have. */
export type ParsedConfig = z.output<typeof configSchema>;

/** Types a config file: `export default defineConfig({ … })`. */
export function defineConfig(config: Config): Config {
  return config;
}
