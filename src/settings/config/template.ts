/** The file that `init` writes: everything commented out, so that it is valid as it stands. */
export function renderConfigTemplate(): string {
  return template;
}

const template = `import { defineConfig } from 'gatecheck';

// What stands here is overridden by the environment, and that by the command line.
// Secrets never stand here: write 'env:NAME' for the value of an environment variable.
export default defineConfig({
  // The deployment to check; without it, the embedded reference.
  // target: 'https://qa.example.com',
  // A container image to start (--image REF comes before its reference), and what it needs:
  // image: 'registry.example.com/partner-api:1.4',
  // image: {
  //   reference: 'registry.example.com/partner-api:1.4',
  //   port: 8080,
  //   environment: { API_KEYS: 'env:GATECHECK_KEYS_PRIMARY', REDIS_URL: 'redis://redis:6379' },
  //   command: ['serve', '--test'],
  //   waitFor: { http: '/health', status: 200 }, // or { log: 'listening' }; without it, any HTTP answer
  //   startupTimeout: '60s',
  //   files: [{ source: 'test/app.yaml', target: '/etc/app.yaml' }],
  //   stateHandler: { path: '/_state' },
  //   dependencies: [{ name: 'redis', reference: 'redis:7', waitFor: { log: 'Ready to accept connections' } }],
  // },
  // Where the two APIs have different hosts:
  // baseUrls: { webcheckin: 'https://checkin.example.com', 'flight-alerts': 'https://alerts.example.com' },
  // apis: ['webcheckin', 'flight-alerts'],

  // keys: {
  //   primary: 'env:GATECHECK_QA_KEYS', // active keys of one enterprise, with commas between
  //   other: 'env:GATECHECK_QA_OTHER_KEY', // another enterprise
  //   revoked: 'env:GATECHECK_QA_REVOKED_KEY',
  //   disabled: 'env:GATECHECK_QA_DISABLED_KEY',
  //   noEntitlement: 'env:GATECHECK_QA_KEY_WITHOUT_ENTITLEMENT',
  //   suspended: 'env:GATECHECK_QA_SUSPENDED_KEY',
  //   exhausted: 'env:GATECHECK_QA_EXHAUSTED_KEY',
  // },

  // smoke: a minute and 60 requests; standard: no real waiting; full: with the waits of real windows.
  profile: 'standard',
  // Hard budgets. Quota and subscriptions are 0 for a target that is not local, unless granted here.
  // budgets: { maxRequests: 500, maxQuota: 20, maxSubscriptions: 10, maxDuration: '15m' },
  // readOnly: true,

  // The gate: what has to be there and judged, besides nothing failing.
  // require: ['second-key'],
  // minMust: '80%',
  // strict: true,
  // baseline: 'gatecheck.baseline.json',

  // Bookings that the target is known to support, and flights that it is known to serve.
  // itineraries: {
  //   domestic: { airline: 'LH', legs: [{ flightNumber: 'LH100', origin: 'FRA', destination: 'MUC' }] },
  //   international: { airline: 'LH', legs: [{ flightNumber: 'LH400', origin: 'FRA', destination: 'JFK' }] },
  //   twoLeg: {
  //     airline: 'LH',
  //     legs: [
  //       { flightNumber: 'LH100', origin: 'MUC', destination: 'FRA' },
  //       { flightNumber: 'LH400', origin: 'FRA', destination: 'JFK' },
  //     ],
  //   },
  //   unsupportedAirline: 'ZZ',
  // },
  // flights: [{ flightNumber: 'LH400', departureDate: 1, legs: [{ departure: 'FRA', arrival: 'JFK' }] }],

  // limits: { perMinute: 60, perHour: 1000 },
  // Questions that the documents leave open, pinned to an answer: from then on they are checks.
  // openPoints: { 'SHR-OPN-002': 'not-counted' },

  // stateHandler: { url: 'https://qa.example.com/_state', auth: 'env:GATECHECK_QA_STATE_AUTH' },
  // sink: { listen: '0.0.0.0:9000', publicUrl: 'https://sink.example.com', cert: 'sink.pem', key: 'sink.key' },
  // http: { connectTimeout: '10s', responseTimeout: '30s', proxy: 'http://proxy.example.com:3128', extraCa: 'ca.pem' },
});
`;
