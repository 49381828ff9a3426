import type { Environment } from '../../core/io.ts';
import type { Command } from 'commander';
import { defaultMixFor, mixForm, parseMix } from '../../load/mix.ts';
import { arrivalKinds, type MixEntry } from '../../load/plan.ts';
import type { LoadOptions } from '../../load/planLoad.ts';
import { parseThreshold, thresholdForm, type Threshold } from '../../load/thresholds.ts';
import { addSharedOptions, collect, type RawOptions } from '../options.ts';
import { FieldReader, problemsError } from '../../settings/problem.ts';
import { parseDuration } from '../../settings/values/duration.ts';
import { parseInteger } from '../../settings/values/number.ts';
import { parseOneOf } from '../../settings/values/oneOf.ts';
import { accept, refuse, type Parsed } from '../../settings/values/parsed.ts';
import { parseRate } from '../../settings/values/rate.ts';
import { addWorkersOptions, readWorkers, type RawWorkerOptions } from './workers.ts';

/** The options of load as commander hands them over. */
export interface RawLoadOptions extends RawOptions, RawWorkerOptions {
  readonly rate?: string;
  readonly duration?: string;
  readonly keys?: string;
  readonly withinLimits?: boolean;
  readonly arrivals?: string;
  readonly mix?: string;
  readonly saturate?: boolean;
  readonly connections?: string;
  readonly maxInFlight?: string;
  readonly threshold?: readonly string[];
  readonly iOwnThisTarget?: string;
}

const mixText = defaultMixFor(['webcheckin', 'flight-alerts'])
  .map(({ operation, weight }) => `${operation}=${weight}`)
  .join(',');

export function addLoadOptions(command: Command): Command {
  const own = command
    .option('--rate <rate>', 'requests in a time over all keys, such as 50/s (default: --within-limits)')
    .option('--duration <time>', 'how long, such as 90s (default: 30s)')
    .option('--keys <n>', 'use so many of the primary keys (default: all)')
    .option('--within-limits', 'at most what the limits allow; without --rate as much as that')
    .option('--arrivals <kind>', `${arrivalKinds.join(' or ')}, by the seed (default: steady)`)
    .option('--mix <weights>', `what is sent (default: ${mixText})`)
    .option('--saturate', 'as much as the target gives, over a number of connections')
    .option('--connections <n>', 'connections of --saturate (default: 10)')
    .option('--max-in-flight <n>', 'requests without an answer at the same time (default: 512)')
    .option(
      '--threshold <bound>',
      "gate, such as 'p99<300ms', 'errors<1%' or 'wci.status:p95<200ms'; repeatable",
      collect,
    )
    .option('--i-own-this-target <host>', 'allows a load beyond the limits on a target that is not local');
  return addSharedOptions(addWorkersOptions(own, 'drive it'));
}

/** Reads what is said about the load; throws one usage error that names all that is wrong. */
export function readLoadOptions(raw: RawLoadOptions, env: Environment): LoadOptions {
  const reader = new FieldReader();
  const workers = readWorkers(raw, env, reader);
  const options: LoadOptions = {
    ratePerSecond: reader.read('--rate', raw.rate, parseRate) ?? null,
    durationMs: reader.read('--duration', raw.duration, parseDuration) ?? 30_000,
    keys: reader.read('--keys', raw.keys, parseInteger({ min: 1, max: 10_000, example: 4 })) ?? null,
    withinLimits: raw.withinLimits ?? false,
    arrivals: reader.read('--arrivals', raw.arrivals, parseOneOf(arrivalKinds)) ?? 'steady',
    mix: reader.read('--mix', raw.mix, readMix) ?? null,
    thresholds: (raw.threshold ?? []).flatMap(
      (text) => reader.read('--threshold', text, readThreshold) ?? [],
    ),
    saturate: raw.saturate ?? false,
    connections:
      reader.read('--connections', raw.connections, parseInteger({ min: 1, max: 1000, example: 10 })) ?? 10,
    maxInFlight:
      reader.read('--max-in-flight', raw.maxInFlight, parseInteger({ min: 1, max: 10_000, example: 512 })) ??
      512,
    ownedHost: raw.iOwnThisTarget ?? null,
    workers,
  };
  refuseContradictions(raw, reader);
  if (reader.problems.length > 0) throw problemsError(reader.problems);
  return options;
}

function refuseContradictions(raw: RawLoadOptions, reader: FieldReader): void {
  const pairs = [
    ['--saturate, --rate', raw.saturate === true && raw.rate !== undefined],
    ['--saturate, --within-limits', raw.saturate === true && raw.withinLimits === true],
    ['--saturate, --workers', raw.saturate === true && raw.workers !== undefined],
  ] as const;
  for (const [where, both] of pairs) if (both) reader.refuse(where, 'expected one of the two; got both');
}

function readThreshold(text: string): Parsed<Threshold> {
  const threshold = parseThreshold(text);
  return threshold === null ? refuse(thresholdForm, text) : accept(threshold);
}

function readMix(text: string): Parsed<readonly MixEntry[]> {
  const mix = parseMix(text);
  return mix === null ? refuse(mixForm, text) : accept(mix);
}
