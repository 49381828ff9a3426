import { z } from 'zod';
import { defaultMixFor, mixForm, parseMix } from '../../load/mix.ts';
import { arrivalKinds } from '../../load/plan.ts';
import type { LoadOptions } from '../../load/planLoad.ts';
import { parseThreshold, thresholdForm } from '../../load/thresholds.ts';
import { duration, rate, textForm, whole, words } from '../../settings/forms.ts';
import { refuseProblems } from '../../settings/problem.ts';
import { row, type ValuesOf } from '../../settings/row.ts';
import { agreementTable } from '../agreement.ts';
import { workersOf, workersTable } from './workers.ts';

const mix = textForm({ expected: mixForm, read: (text) => parseMix(text) ?? undefined });
const threshold = textForm({ expected: thresholdForm, read: (text) => parseThreshold(text) ?? undefined });

/** The host that the user says to own. */
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
    help: 'requests in a time over all keys, such as 50/s',
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
    help: 'use so many of the primary keys',
    usual: 'all',
    example: 4,
  }),
  withinLimits: row({
    form: z.boolean(),
    default: false,
    flag: '--within-limits',
    help: 'at most what the limits allow; without --rate as much as that',
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
    help: 'as much as the target gives, over a number of connections',
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
    help: "gate, such as 'p99<300ms', 'errors<1%' or 'wci.status:p95<200ms'",
  }),
  ownedHost: ownedHostRow,
  ...agreementTable,
  ...workersTable('drive it'),
};

type LoadValues = ValuesOf<typeof loadTable>;

/** What a load is asked to be; throws one usage error for what contradicts itself. */
export function loadOptions(values: LoadValues): LoadOptions {
  const { workers, redis, yes, ...rest } = values;
  refuseProblems(
    contradictions(values).map((where) => ({ where, fault: 'expected one of the two; got both' })),
  );
  return { ...rest, workers: workersOf(values) };
}

function contradictions({ saturate, ratePerSecond, withinLimits, workers }: LoadValues): readonly string[] {
  if (!saturate) return [];
  return [
    ...(ratePerSecond === null ? [] : ['--saturate, --rate']),
    ...(withinLimits ? ['--saturate, --within-limits'] : []),
    ...(workers === null ? [] : ['--saturate, --workers']),
  ];
}
