import { z } from 'zod';
import { defaultMixFor } from '../../load/plan/mix.ts';
import { arrivalKinds } from '../../load/plan/plan.ts';
import { url } from '../../settings/addressForms.ts';
import { duration, path, port, rate, whole, words } from '../../settings/forms.ts';
import { row } from '../../settings/row.ts';
import { agreementTable } from '../agreement.ts';
import { talkTable } from '../talk.ts';
import { workersTable } from './workers.ts';
import { bounds, journeyChoice, judgeShare, mix, sinkManner, stages, threshold } from './forms.ts';

/** The host that the user claims to own. */
export const ownedHostRow = row({
  form: words,
  default: null,
  flag: '--i-own-this-target <host>',
  help: 'allows a load beyond the limits on a target that is not local',
  example: 'qa.example.com',
});

/** The options of `load`, besides the settings of a run. */
export const loadTable = {
  ratePerSecond: row({
    form: rate,
    default: null,
    flag: '--rate <rate>',
    help: 'requests per unit of time over all keys, such as 50/s',
    usual: '--within-limits',
  }),
  durationMs: row({
    form: duration,
    default: 30_000,
    flag: '--duration <time>',
    help: 'how long, such as 90s',
    usual: '30s',
  }),
  keys: row({
    form: whole(1, 10_000),
    default: null,
    flag: '--keys <n>',
    help: 'how many of the primary keys to use',
    usual: 'all',
    example: 4,
  }),
  withinLimits: row({
    form: z.boolean(),
    default: false,
    flag: '--within-limits',
    help: 'never send more than the rate limits allow; without --rate, as much as they allow',
  }),
  stages: row({
    form: z.array(stages),
    default: [],
    flag: '--stages <course>',
    help: "how the rate changes, such as '0→200/s in 2m, 200/s for 10m, 800/s for 30s'; 'JOURNEY: …' for one journey",
    example: ['0→200/s in 2m, 200/s for 10m, 0 in 1m'],
  }),
  journeys: row({
    form: z.array(journeyChoice),
    default: [],
    flag: '--journeys <weights>',
    help: 'virtual partners that do several things in turn, such as subscribe-and-poll=3,dashboard=1; --rate then counts the journeys that begin',
    example: ['subscribe-and-poll=3,dashboard'],
  }),
  journeysFrom: row({
    form: words,
    default: null,
    flag: '--journeys-from <file>',
    help: 'a module with journeys of your own, made by defineJourney',
    example: 'journeys.ts',
  }),
  listJourneys: row({
    form: z.boolean(),
    default: false,
    flag: '--list-journeys',
    help: 'print the available journeys, and nothing else',
  }),
  on429: row({
    form: z.enum(['obey', 'ignore']),
    default: 'obey',
    flag: '--on-429 <manner>',
    help: 'whether virtual partners wait as retryAfter says, or try again at once: obey or ignore',
  }),
  sinkManner: row({
    form: sinkManner,
    default: { kind: 'ok' } as const,
    flag: '--sink-manner <manner>',
    help: 'how the sink answers the webhooks of journeys: ok, slow:500ms, fail:2 or down:30s',
    usual: 'ok',
    example: 'down:30s',
  }),
  warmUpMs: row({
    form: duration,
    default: 0,
    flag: '--warm-up <time>',
    help: 'time at the start that is left out of the figures',
    usual: 'none',
    example: '10s',
  }),
  capacity: row({
    form: bounds,
    default: null,
    flag: '--find-capacity <bounds>',
    help: "find the highest rate that meets these bounds, such as 'p99<300ms, errors<0.1%', starting at --rate",
    example: 'p99<300ms, errors<0.1%',
  }),
  trialMs: row({
    form: duration,
    default: 10_000,
    flag: '--trial <time>',
    help: 'how long each trial of --find-capacity is',
    usual: '10s',
  }),
  compareWith: row({
    form: path,
    default: null,
    flag: '--compare <file>',
    help: 'report directory or result.json of an earlier load: faster, slower or the same; slower fails with --strict',
    example: 'reports/latest/result.json',
  }),
  tenants: row({
    form: whole(1, 10_000),
    default: null,
    flag: '--tenants <n>',
    help: 'how many enterprises to create through the state handler, with a key each',
    example: 1000,
  }),
  tenantsFrom: row({
    form: path,
    default: null,
    flag: '--tenants-from <file>',
    help: 'a file of tenant keys instead, one per line (or NAME,KEY)',
    example: 'tenants.csv',
  }),
  processes: row({
    form: whole(1, 64),
    default: null,
    flag: '--processes <n>',
    help: 'how many processes of this machine send; always one if the load writes or stays within limits',
    usual: 'one up to 2000/s, else one for each core',
    example: 2,
  }),
  judgeShare: row({
    form: judgeShare,
    default: null,
    flag: '--judge <share>',
    help: 'share of the answers to reads that the oracles judge: all, none, or such as 10%; writes always are, unless none',
    usual: 'all while there is time, else a sample; the report says which',
    example: '10%',
  }),
  arrivals: row({
    form: z.enum(arrivalKinds),
    default: 'steady',
    flag: '--arrivals <kind>',
    help: `${arrivalKinds.join(' or ')}, by the seed`,
  }),
  mix: row({
    form: mix,
    default: null,
    flag: '--mix <weights>',
    help: 'what is sent',
    usual: defaultMixFor(['webcheckin', 'flight-alerts'])
      .map(({ operation, weight }) => `${operation}=${weight}`)
      .join(','),
  }),
  saturate: row({
    form: z.boolean(),
    default: false,
    flag: '--saturate',
    help: 'send as fast as the target answers, over a fixed number of connections',
  }),
  connections: row({
    form: whole(1, 1000),
    default: 10,
    flag: '--connections <n>',
    help: 'connections of --saturate',
    example: 10,
  }),
  maxInFlight: row({
    form: whole(1, 10_000),
    default: 512,
    flag: '--max-in-flight <n>',
    help: 'requests without an answer at the same time',
    example: 512,
  }),
  thresholds: row({
    form: z.array(threshold),
    default: [],
    flag: '--threshold <bound>',
    help: "exit 1 unless this holds, such as 'p99<300ms', 'errors<1%' or 'wci.status:p95<200ms'",
  }),
  dashboard: row({
    form: port,
    default: null,
    flag: '--dashboard [port]',
    bare: '0',
    help: 'serve a page with live plots, on this machine only; on a free port unless one is given',
    usual: 'none',
    example: 9191,
  }),
  otlp: row({
    form: url,
    default: null,
    flag: '--otlp <url>',
    help: 'send OpenTelemetry metrics to this collector during the load (OTLP over HTTP, JSON)',
    example: 'http://127.0.0.1:4318',
  }),
  ownedHost: ownedHostRow,
  ...agreementTable,
  ...talkTable,
  verbose: {
    ...talkTable.verbose,
    help: 'print each exchange as well; then one process of this machine sends',
  },
  quiet: { ...talkTable.quiet, help: 'print only the verdict and the counts' },
  ...workersTable('drive the load'),
};
