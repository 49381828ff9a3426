import type { Command } from 'commander';
import { profiles } from '../core/settings.ts';
import { FieldReader } from '../settings/problem.ts';
import { defined, type Layer, type SettingsInput, type TargetInput } from '../settings/settingsInput.ts';
import { parseApis } from '../settings/values/apiList.ts';
import { parseDuration } from '../settings/values/duration.ts';
import { parseHostPort } from '../settings/values/hostPort.ts';
import { parseNonEmpty } from '../settings/values/nonEmpty.ts';
import { parseCount, parsePositive, parseSeed } from '../settings/values/number.ts';
import { parseOneOf } from '../settings/values/oneOf.ts';
import type { Parser } from '../settings/values/parsed.ts';
import { parsePath } from '../settings/values/path.ts';
import { parseShard } from '../settings/values/shard.ts';
import { parseShare } from '../settings/values/share.ts';
import { parseTarget } from '../settings/values/target.ts';
import { parseBaseUrl, parseUrl } from '../settings/values/url.ts';

/** The shared options as commander hands them over: text, not yet read. */
export interface RawOptions {
  readonly target?: string;
  readonly image?: string;
  readonly config?: string;
  readonly api?: string;
  readonly profile?: string;
  readonly seed?: string;
  readonly only?: readonly string[];
  readonly maxRequests?: string;
  readonly maxQuota?: string;
  readonly maxSubscriptions?: string;
  readonly maxDuration?: string;
  readonly readOnly?: boolean;
  readonly require?: readonly string[];
  readonly minMust?: string;
  readonly stateHandler?: string;
  readonly sinkListen?: string;
  readonly sinkPublicUrl?: string;
  readonly sinkCert?: string;
  readonly sinkKey?: string;
  readonly watch?: string;
  readonly reportDir?: string;
  readonly baseline?: string;
  readonly strict?: boolean;
  readonly shard?: string;
}

/** Adds the options that run, plan, limits, load and doctor share; `usual` is the target where none is named. */
export function addSharedOptions(command: Command, usual = 'the embedded reference'): Command {
  command.option('--target <url>', `a running deployment (default: ${usual})`);
  for (const [flags, description, repeatable] of sharedOptions) {
    if (repeatable === 'repeatable') command.option(flags, `${description}; repeatable`, collect);
    else command.option(flags, description);
  }
  return command;
}

/** Adds the option that run and plan have in common: how long what comes is followed. */
export function addWatchOption(command: Command): Command {
  return command.option(
    '--watch <time>',
    'follow real subscriptions for so long, such as 30m, and judge the callbacks that come',
  );
}

const sharedOptions: readonly (readonly [flags: string, description: string, repeatable?: 'repeatable'])[] = [
  ['--image <ref>', 'a container image to start'],
  ['--config <file>', 'config file (default: gatecheck.config.{ts,js,json,yaml}, found upward from here)'],
  ['--api <names>', 'which APIs the target has: webcheckin,flight-alerts (default: both)'],
  [
    '--profile <name>',
    'smoke: a minute, 60 requests; standard: no real waiting; full: with the waits (default: standard)',
  ],
  ['--seed <n>', "the run's random seed (default: random, printed at every run)"],
  ['--only <pattern>', 'requirement ids, check ids or tags, * allowed', 'repeatable'],
  ['--max-requests <n>', 'send at most so many requests'],
  ['--max-quota <n>', 'spend at most so many quota units (default: 0 for a target that is not local)'],
  ['--max-subscriptions <n>', 'leave at most so many flight subscriptions (default: as --max-quota)'],
  ['--max-duration <time>', 'take at most so long, such as 15m'],
  ['--read-only', 'send GET only'],
  ['--require <capability>', 'gate: the target has this capability', 'repeatable'],
  ['--min-must <percent>', 'gate: this share of the must-requirements was judged, such as 80%'],
  ['--state-handler <url>', "the deployment's state handler"],
  ['--sink-listen <host:port>', 'where the callback sink listens (default: 127.0.0.1:0)'],
  ['--sink-public-url <url>', 'under which address the target reaches the sink'],
  ['--sink-cert <file>', 'certificate of the sink, PEM'],
  ['--sink-key <file>', 'private key of that certificate, PEM'],
  ['--report-dir <dir>', 'where the reports go (default: reports/<run id> and the link reports/latest)'],
  ['--baseline <file>', 'known failures: reported, but not failing the run'],
  ['--strict', 'also exit non-zero on warnings and on a partial verdict'],
  ['--shard <i/n>', 'run one of n disjoint parts, such as 1/4'],
];

/** Gathers what a repeatable option is given. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** Reads the command line; relative paths count from `folder`. */
export function readOptions(raw: RawOptions, folder: string): Layer {
  const reader = new FieldReader();
  const at = <T>(option: string, text: string | undefined, parse: Parser<T>) =>
    reader.read(option, text, parse);
  const path = parsePath(folder);
  const input: SettingsInput = defined<SettingsInput>({
    target: readTarget(raw, reader),
    apis: at('--api', raw.api, parseApis),
    profile: at('--profile', raw.profile, parseOneOf(profiles)),
    seed: at('--seed', raw.seed, parseSeed),
    only: raw.only?.map((pattern) => at('--only', pattern, parseNonEmpty) ?? ''),
    readOnly: raw.readOnly,
    require: raw.require?.map((name) => at('--require', name, parseNonEmpty) ?? ''),
    minMust: at('--min-must', raw.minMust, parseShare),
    reportDir: at('--report-dir', raw.reportDir, path),
    baseline: at('--baseline', raw.baseline, path),
    strict: raw.strict,
    watchMs: at('--watch', raw.watch, parseDuration),
    shard: at('--shard', raw.shard, parseShard),
  });
  const groups: SettingsInput = {
    budgets: defined({
      maxRequests: at('--max-requests', raw.maxRequests, parsePositive),
      maxQuota: at('--max-quota', raw.maxQuota, parseCount),
      maxSubscriptions: at('--max-subscriptions', raw.maxSubscriptions, parseCount),
      maxDurationMs: at('--max-duration', raw.maxDuration, parseDuration),
    }),
    stateHandler: defined({ url: at('--state-handler', raw.stateHandler, parseUrl) }),
    sink: defined({
      listen: at('--sink-listen', raw.sinkListen, parseHostPort),
      publicUrl: at('--sink-public-url', raw.sinkPublicUrl, parseBaseUrl),
      certFile: at('--sink-cert', raw.sinkCert, path),
      keyFile: at('--sink-key', raw.sinkKey, path),
    }),
  };
  return { input: { ...input, ...groups }, problems: reader.problems };
}

function readTarget(raw: RawOptions, reader: FieldReader): TargetInput | undefined {
  const target = reader.read('--target', raw.target, parseTarget);
  const reference = reader.read('--image', raw.image, parseNonEmpty);
  if (raw.target !== undefined && raw.image !== undefined) {
    reader.refuse('--target, --image', 'expected one of the two; got both');
    return undefined;
  }
  return reference === undefined ? target : { kind: 'image', reference };
}
