import type { Environment } from '../../core/io.ts';
import type { Command } from 'commander';
import type { Policy } from '../../reference/policy.ts';
import { valueOf } from '../../settings/environment.ts';
import { collect } from '../options.ts';
import { FieldReader, problemsError } from '../../settings/problem.ts';
import { parseOffset } from '../../settings/values/duration.ts';
import { parseNonEmpty } from '../../settings/values/nonEmpty.ts';
import { parsePort, parseSeed } from '../../settings/values/number.ts';
import { parseOneOf } from '../../settings/values/oneOf.ts';
import type { Parser } from '../../settings/values/parsed.ts';
import { parseRateLimits } from '../../settings/values/rateLimits.ts';
import { parseDefect, parseDialect, parseDialects } from './policy.ts';

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

/** The options by the variable that a container gives them with. */
export const serveVariables = {
  host: 'GATECHECK_SERVE_HOST',
  port: 'GATECHECK_SERVE_PORT',
  'state-handler': 'GATECHECK_SERVE_STATE_HANDLER',
  dialect: 'GATECHECK_SERVE_DIALECT',
  defect: 'GATECHECK_SERVE_DEFECT',
  limits: 'GATECHECK_SERVE_LIMITS',
  seed: 'GATECHECK_SERVE_SEED',
  'clock-offset': 'GATECHECK_SERVE_CLOCK_OFFSET',
} as const;

type ServeOption = keyof typeof serveVariables;

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

/** Reads the options of `serve`, those of the environment behind those of the command line; throws one usage error. */
export function readServeOptions(raw: RawServeOptions, env: Environment = {}): ServeSettings {
  const reader = new FieldReader();
  const read = <T>(name: ServeOption, text: string | undefined, parse: Parser<T>): T | undefined => {
    const variable = serveVariables[name];
    return text === undefined
      ? reader.read(variable, valueOf(env, variable), parse)
      : reader.read(`--${name}`, text, parse);
  };
  const dialects =
    raw.dialect === undefined
      ? (read('dialect', undefined, parseDialects) ?? [])
      : raw.dialect.map((text) => read('dialect', text, parseDialect) ?? {});
  const defect = read('defect', raw.defect, parseDefect) ?? {};
  const settings: ServeSettings = {
    host: read('host', raw.host, parseNonEmpty) ?? '127.0.0.1',
    port: read('port', raw.port, parsePort) ?? 8080,
    stateHandler: raw.stateHandler ?? read('state-handler', undefined, parseOneOf(['on', 'off'])) === 'on',
    policy: Object.assign({}, ...dialects, defect) as Partial<Policy>,
    limits: read('limits', raw.limits, parseRateLimits) ?? { perMinute: 60, perHour: 1000 },
    seed: read('seed', raw.seed, parseSeed) ?? 1,
    clockOffsetMs: read('clock-offset', raw.clockOffset, parseOffset) ?? 0,
  };
  if (reader.problems.length > 0) throw problemsError(reader.problems);
  return settings;
}
