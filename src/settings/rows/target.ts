import { z } from 'zod';
import { apis } from '../../core/operations.ts';
import { baseUrl, target } from '../addressForms.ts';
import { image } from '../container.ts';
import { group, row } from '../row.ts';

const nameShape = 'expected a name of at most 100 characters';
const inOrder = z
  .array(z.enum(apis))
  .min(1)
  .transform((named) => apis.filter((api) => named.includes(api)));

/** What is tested: a deployment, a container image, or the embedded reference. */
export const targetRows = {
  target: row({
    form: target,
    default: null,
    flag: '--target <url>',
    variable: 'GATECHECK_TARGET',
    refusesEmpty: true,
    help: 'a running deployment, or embedded for the reference',
    usual: 'embedded, unless CI is set, or a key, a state handler or a sink is given',
    example: 'https://qa.example.com',
  }),
  image: row({
    form: image,
    default: null,
    flag: '--image <ref>',
    help: 'a container image to start as the target; the config file may add its port, environment and files',
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
  baseUrls: group('if the two APIs have different hosts', {
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
};
