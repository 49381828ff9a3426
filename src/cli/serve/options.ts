import type { Command } from 'commander';
import type { Policy } from '../../reference/policy.ts';
import { collect } from '../options.ts';
import { FieldReader, problemsError } from '../problem.ts';
import { parseOffset } from '../values/duration.ts';
import { parseNonEmpty } from '../values/nonEmpty.ts';
import { parsePort, parseSeed } from '../values/number.ts';
import { parseRateLimits } from '../values/rateLimits.ts';
import { parseDefect, parseDialect } from './policy.ts';

/** What `serve` was told, fully set. */
export interface ServeSettings {
  readonly host: string;
  readonly port: number;
  readonly stateHandler: boolean;
  readonly policy: Partial<Policy>;
  readonly limits: { readonly perMinute: number; readonly perHour: number };
  readonly seed: number;
  readonly clockOffsetMs: number;
}

/** The options of `serve` as commander hands them over. */
export interface RawServeOptions {
  readonly host?: string;
  readonly port?: string;
  readonly stateHandler?: boolean;
  readonly dialect?: readonly string[];
  readonly defect?: string;
  readonly limits?: string;
  readonly seed?: string;
  readonly clockOffset?: string;
}

export function addServeOptions(command: Command): Command {
  return command
    .option('--port <n>', 'port to listen on, 0 for a free one (default: 8080)')
    .option('--host <name>', 'address to listen on (default: 127.0.0.1)')
    .option('--state-handler', 'offer the state handler, on /_state (default: off)')
    .option('--dialect <choice>', 'name=variant of an open point, or random:SEED; repeatable', collect)
    .option('--defect <id>', 'make one seeded mistake')
    .option('--limits <n/n>', 'requests a minute and an hour (default: 60/1000)')
    .option('--seed <n>', 'seed of keys and ids (default: 1, so that a restart keeps the keys)')
    .option('--clock-offset <time>', "how far the sandbox's clock is off, such as 2h or -90s");
}

/** Reads the options of `serve`; throws one usage error for all that is wrong. */
export function readServeOptions(raw: RawServeOptions): ServeSettings {
  const reader = new FieldReader();
  const dialects = (raw.dialect ?? []).map((text) => reader.read('--dialect', text, parseDialect) ?? {});
  const defect = reader.read('--defect', raw.defect, parseDefect) ?? {};
  const settings: ServeSettings = {
    host: reader.read('--host', raw.host, parseNonEmpty) ?? '127.0.0.1',
    port: reader.read('--port', raw.port, parsePort) ?? 8080,
    stateHandler: raw.stateHandler ?? false,
    policy: Object.assign({}, ...dialects, defect) as Partial<Policy>,
    limits: reader.read('--limits', raw.limits, parseRateLimits) ?? { perMinute: 60, perHour: 1000 },
    seed: reader.read('--seed', raw.seed, parseSeed) ?? 1,
    clockOffsetMs: reader.read('--clock-offset', raw.clockOffset, parseOffset) ?? 0,
  };
  if (reader.problems.length > 0) throw problemsError(reader.problems);
  return settings;
}
