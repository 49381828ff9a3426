import { z } from 'zod';
import { apis } from '../core/operations.ts';
import { profiles } from '../core/settings.ts';
import { baseUrl, hostPort, target, url } from './addressForms.ts';
import { pemFile, pemKeyFile } from './certificates.ts';
import { image } from './container.ts';
import { duration, path, positiveShare, seed, shard, share, whole, words } from './forms.ts';
import { extraHeaders } from './headers.ts';
import { airline, itinerary, knownFlight } from './knownData.ts';
import { group, row, type ValuePlace } from './row.ts';
import { apiKey, apiKeys, plainOrVariable, proxyUrl, secretHeader } from './secretForms.ts';

const proxy = (place: ValuePlace) =>
  plainOrVariable(baseUrl, proxyUrl, place).transform(({ value }) => value);
const nameShape = 'expected a name of at most 100 characters';
const inOrder = z
  .array(z.enum(apis))
  .min(1)
  .transform((named) => apis.filter((api) => named.includes(api)));

/**
 * Every setting of a run, a row each, and so a longer file than others: help, config file, its JSON Schema, the template of
 * `init` and the page of the docs are made of this table.
 */
export const settingsTable = {
  target: row({
    form: target,
    default: null,
    flag: '--target <url>',
    variable: 'GATECHECK_TARGET',
    help: 'a running deployment',
    usual: 'the embedded reference',
    example: 'https://qa.example.com',
  }),
  image: row({
    form: image,
    default: null,
    flag: '--image <ref>',
    help: 'a container image to start, and how',
    example: 'registry.example.com/partner-api:1.4',
    fullExample: {
      reference: 'registry.example.com/partner-api:1.4',
      port: 8080,
      environment: { API_KEYS: 'env:GATECHECK_KEYS_PRIMARY', REDIS_URL: 'redis://redis:6379' },
      command: ['serve', '--test'],
      waitFor: { http: '/health', status: 200 },
      startupTimeout: '60s',
      files: [{ source: 'test/app.yaml', target: '/etc/app.yaml' }],
      stateHandler: { path: '/_state' },
      dependencies: [
        { name: 'redis', reference: 'redis:7', waitFor: { log: 'Ready to accept connections' } },
      ],
    },
  }),
  name: row({
    form: z.string(nameShape).trim().min(1, nameShape).max(100, nameShape),
    default: null,
    help: 'what the reports call the target',
    usual: 'its address',
    example: 'Example Airways QA',
  }),
  baseUrls: group('where the two APIs have different hosts', {
    webcheckin: row({
      form: baseUrl,
      default: null,
      help: 'address of the Web Check-in API',
      example: 'https://checkin.example.com',
    }),
    'flight-alerts': row({
      form: baseUrl,
      default: null,
      help: 'address of the Flight Alerts API',
      example: 'https://alerts.example.com',
    }),
  }),
  apis: row({
    form: inOrder,
    default: apis,
    flag: '--api <names>',
    help: `which APIs the target has: ${apis.join(',')}`,
    usual: 'both',
    example: ['webcheckin'],
  }),
  profile: row({
    form: z.enum(profiles),
    default: 'standard',
    flag: '--profile <name>',
    help: 'smoke: at most 60 requests in a minute; standard: all that needs no real waiting; full: everything, with real waiting',
    example: 'smoke',
  }),
  seed: row({
    form: seed,
    default: null,
    flag: '--seed <n>',
    help: "the run's random seed",
    usual: 'random, printed at every run',
    example: 42,
  }),
  only: row({
    form: z.array(words),
    default: [],
    flag: '--only <pattern>',
    help: 'what to check: requirement ids, check ids or tags, * allowed',
    usual: 'all',
    example: ['WCI-STS-*'],
  }),
  budgets: group('hard budgets, never exceeded', {
    maxRequests: row({
      form: whole(1),
      default: null,
      flag: '--max-requests <n>',
      help: 'send at most this many requests',
      usual: 'by profile and target',
      example: 500,
    }),
    maxQuota: row({
      form: whole(),
      default: null,
      flag: '--max-quota <n>',
      help: 'spend at most this many quota units',
      usual: '0 for a target that is not local',
      example: 20,
    }),
    maxSubscriptions: row({
      form: whole(),
      default: null,
      flag: '--max-subscriptions <n>',
      help: 'leave behind at most this many flight subscriptions',
      usual: '0 for a target that is not local',
      example: 10,
    }),
    maxDurationMs: row({
      form: duration,
      default: null,
      flag: '--max-duration <time>',
      file: 'maxDuration',
      help: 'take at most this long, such as 15m',
      example: '15m',
    }),
  }),
  readOnly: row({
    form: z.boolean(),
    default: false,
    flag: '--read-only',
    help: 'send GET only',
    example: true,
  }),
  fresh: row({
    form: z.boolean(),
    default: false,
    flag: '--fresh',
    help: 'make new records in place of using own ones of earlier runs',
    example: true,
  }),
  share: row({
    form: positiveShare,
    default: 1,
    flag: '--share <percent>',
    help: 'use at most this share of each rate limit, where others use the keys as well, such as 50%',
    usual: '100%',
    example: '50%',
  }),
  require: row({
    form: z.array(words),
    default: [],
    flag: '--require <capability>',
    help: 'exit 1 unless the target has this capability',
    example: ['second-key'],
  }),
  minMust: row({
    form: share,
    default: null,
    flag: '--min-must <percent>',
    help: 'exit 1 unless this share of the must-requirements was judged, such as 80%',
    example: '80%',
  }),
  stateHandler: group("the deployment's state handler", {
    url: row({
      form: url,
      default: null,
      flag: '--state-handler <url>',
      variable: 'GATECHECK_STATE_HANDLER',
      help: "the deployment's state handler",
      example: 'https://qa.example.com/_state',
    }),
    auth: row({
      form: secretHeader,
      default: null,
      variable: 'GATECHECK_STATE_HANDLER_AUTH',
      secret: true,
      help: 'a header for it, in the form Name: value',
      example: 'env:GATECHECK_QA_STATE_AUTH',
    }),
  }),
  sink: group('the callback sink', {
    listen: row({
      form: hostPort,
      default: { host: '127.0.0.1', port: 0 },
      flag: '--sink-listen <host:port>',
      variable: 'GATECHECK_SINK_LISTEN',
      help: 'where the callback sink listens, port 0 for a free one',
      usual: '127.0.0.1:0',
      example: '0.0.0.0:9000',
    }),
    publicUrl: row({
      form: baseUrl,
      default: null,
      flag: '--sink-public-url <url>',
      variable: 'GATECHECK_SINK_PUBLIC_URL',
      help: 'under which address the target reaches the sink',
      example: 'https://sink.example.com',
    }),
    certFile: row({
      form: path,
      default: null,
      flag: '--sink-cert <file>',
      file: 'cert',
      help: 'certificate of the sink, PEM',
      example: 'certs/sink.pem',
    }),
    keyFile: row({
      form: path,
      default: null,
      flag: '--sink-key <file>',
      file: 'key',
      help: 'private key of that certificate, PEM',
      example: 'certs/sink.key',
    }),
  }),
  watchMs: row({
    form: duration,
    default: null,
    flag: '--watch <time>',
    file: false,
    help: 'follow real subscriptions for this time, such as 30m, and judge the callbacks that come',
    example: '30m',
  }),
  reportDir: row({
    form: path,
    default: null,
    flag: '--report-dir <dir>',
    help: 'where the reports go',
    usual: 'reports/<run id> and the link reports/latest',
    example: 'reports/qa',
  }),
  baseline: row({
    form: path,
    default: null,
    flag: '--baseline <file>',
    help: 'known failures: reported, but not failing the run',
    example: 'gatecheck.baseline.json',
  }),
  updateBaseline: row({
    form: z.boolean(),
    default: false,
    flag: '--update-baseline',
    file: false,
    help: 'write the failures of this run into the baseline; existing entries keep their reason, entries that pass now are removed',
  }),
  baselineReason: row({
    form: words,
    default: null,
    flag: '--reason <text>',
    file: false,
    help: 'why the failures are known, for the entries that --update-baseline adds',
  }),
  strict: row({
    form: z.boolean(),
    default: false,
    flag: '--strict',
    help: 'also exit non-zero on warnings and on a partial verdict',
    example: true,
  }),
  shard: row({
    form: shard,
    default: null,
    flag: '--shard <i/n>',
    file: false,
    help: 'run one of n disjoint parts, such as 1/4',
    example: '1/4',
  }),
  keys: group('API keys, each as env:NAME', {
    primary: row({
      form: apiKeys,
      default: [],
      variable: 'GATECHECK_KEYS_PRIMARY',
      secret: true,
      help: 'active keys of one enterprise, with commas between',
      example: 'env:GATECHECK_QA_KEYS',
    }),
    other: row({
      form: apiKeys,
      default: [],
      variable: 'GATECHECK_KEYS_OTHER',
      secret: true,
      help: 'active keys of another enterprise',
      example: 'env:GATECHECK_QA_OTHER_KEY',
    }),
    revoked: row({
      form: apiKey,
      default: null,
      variable: 'GATECHECK_KEY_REVOKED',
      secret: true,
      help: 'a revoked key, which must get 401',
      example: 'env:GATECHECK_QA_REVOKED_KEY',
    }),
    disabled: row({
      form: apiKey,
      default: null,
      variable: 'GATECHECK_KEY_DISABLED',
      secret: true,
      help: 'a disabled key, which must get 401',
      example: 'env:GATECHECK_QA_DISABLED_KEY',
    }),
    noEntitlement: row({
      form: apiKey,
      default: null,
      variable: 'GATECHECK_KEY_NO_ENTITLEMENT',
      secret: true,
      help: 'a key without an entitlement, which must get 402 on subscribe',
      example: 'env:GATECHECK_QA_KEY_WITHOUT_ENTITLEMENT',
    }),
    suspended: row({
      form: apiKey,
      default: null,
      variable: 'GATECHECK_KEY_SUSPENDED',
      secret: true,
      help: 'a key of a suspended entitlement, which must get 402 on subscribe',
      example: 'env:GATECHECK_QA_SUSPENDED_KEY',
    }),
    exhausted: row({
      form: apiKey,
      default: null,
      variable: 'GATECHECK_KEY_EXHAUSTED',
      secret: true,
      help: 'a key without quota left, which must get 402 on subscribe',
      example: 'env:GATECHECK_QA_EXHAUSTED_KEY',
    }),
  }),
  itineraries: group('bookings that the target is known to support', {
    domestic: row({
      form: itinerary(1),
      default: null,
      help: 'a flight within one country',
      example: { airline: 'LH', legs: [{ flightNumber: 'LH100', origin: 'FRA', destination: 'MUC' }] },
    }),
    international: row({
      form: itinerary(1),
      default: null,
      help: 'a flight between two countries',
      example: { airline: 'LH', legs: [{ flightNumber: 'LH400', origin: 'FRA', destination: 'JFK' }] },
    }),
    twoLeg: row({
      form: itinerary(2),
      default: null,
      help: 'a connected journey of two legs',
      example: {
        airline: 'LH',
        legs: [
          { flightNumber: 'LH100', origin: 'MUC', destination: 'FRA' },
          { flightNumber: 'LH400', origin: 'FRA', destination: 'JFK' },
        ],
      },
    }),
    unsupportedAirline: row({
      form: airline,
      default: null,
      help: 'an airline that it does not support',
      example: 'ZZ',
    }),
  }),
  flights: row({
    form: z.array(knownFlight),
    default: [],
    help: 'flights and dates that the target is known to serve; a date, or days from the day of the run',
    example: [{ flightNumber: 'LH400', departureDate: 1, legs: [{ departure: 'FRA', arrival: 'JFK' }] }],
  }),
  limits: group('rate limits of the environment', {
    perMinute: row({ form: whole(1), default: 60, help: 'requests per key and minute', example: 60 }),
    perHour: row({ form: whole(1), default: 1000, help: 'requests per key and hour', example: 1000 }),
  }),
  openPoints: row({
    form: z.record(z.string(), z.string()),
    default: {},
    help: 'questions that the documents leave open, pinned to an answer: from then on they are checks',
    example: { 'SHR-OPN-002': 'not-counted' },
  }),
  http: group('how requests are sent', {
    connectTimeoutMs: row({
      form: duration,
      default: 10_000,
      file: 'connectTimeout',
      help: 'longest time to connect',
      usual: '10s',
      example: '10s',
    }),
    responseTimeoutMs: row({
      form: duration,
      default: 30_000,
      file: 'responseTimeout',
      help: 'longest time from sending to the last byte of the response',
      usual: '30s',
      example: '30s',
    }),
    maxBodyBytes: row({
      form: whole(1),
      default: 4 * 1024 * 1024,
      help: 'bytes of a response body that are read; a longer one is cut off and its connection closed',
      example: 4_194_304,
    }),
    proxy: row({
      form: proxy,
      default: null,
      help: 'proxy to send through; env:NAME where it holds credentials',
      example: 'http://proxy.example.com:3128',
    }),
    extraCa: row({
      form: pemFile,
      default: null,
      help: 'extra certificate authorities, a PEM file',
      example: 'certs/ca.pem',
    }),
    clientCert: row({
      form: pemFile,
      default: null,
      help: 'certificate that a server may ask for, a PEM file',
      example: 'certs/client.pem',
    }),
    clientKey: row({
      form: pemKeyFile,
      default: null,
      help: 'private key of that certificate, a PEM file',
      example: 'certs/client.key',
    }),
    headers: row({
      form: extraHeaders,
      default: {},
      help: 'extra headers of every request; env:NAME for a secret',
      example: { 'X-Environment': 'qa' },
    }),
  }),
};
