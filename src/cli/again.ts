import { basename, join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';
import type { Io } from '../core/io.ts';
import { quotedArgument } from '../core/quotedArgument.ts';
import { replayCommand } from '../report/replayCommand.ts';
import { replayParts } from '../report/replayParts.ts';
import { shortPath } from '../core/shortPath.ts';

/** Options that a replay needs as the run did; the target comes from the result, the keys from the environment. */
const carried = new Set([
  ...['--config', '--image', '--api', '--state-handler', '--sink-listen', '--sink-public-url', '--sink-cert'],
  ...['--sink-key', '--max-requests', '--max-quota', '--max-subscriptions'],
]);

type Started = Pick<Io, 'args' | 'env' | 'folder' | 'redactor'>;

/** The command that replays a finding, to be pasted in the folder where this command was started. */
export function replayLine(
  { args, env, folder, redactor }: Started,
  fingerprint: string,
  reportDir: string,
): string {
  const program = programOf({ env, folder });
  const options = optionsOf(args);
  return redactor.redact(replayCommand(fingerprint, reportDir, { folder, program, options }));
}

/** The replay line of a part, for what the part was joined into: run here, and from that directory. */
export function replayLineFrom(
  { env, folder, redactor }: Started,
  command: string,
  reportDir: string,
): string {
  const { fingerprint, options = '' } = replayParts.exec(command)?.groups ?? {};
  if (fingerprint === undefined) return command;
  const words = ['replay', fingerprint, '--from', shortPath(reportDir, folder)].map(quotedArgument);
  return redactor.redact(`${[programOf({ env, folder }), ...words].join(' ')}${options}`);
}

/** How Gatecheck was started: by npx, by an npm script, by node itself, or from the path. */
export function programOf({ env, folder }: Pick<Started, 'env' | 'folder'>): string {
  if (env.npm_command === 'exec') return 'npx gatecheck';
  if (env.npm_lifecycle_event !== undefined)
    return isBare(env.npm_lifecycle_script) ? `npm run ${env.npm_lifecycle_event} --` : 'npx gatecheck';
  if (basename(env._ ?? '') !== 'node') return 'gatecheck';
  return `node ${quotedArgument(shortPath(join(packageRoot(), 'bin/gatecheck.js'), folder))}`;
}

/** Whether a script of package.json takes any command: one such as `gatecheck run` takes only its own options. */
function isBare(script: string | undefined): boolean {
  return script === undefined || /gatecheck(?:\.js)?$/.test(script.trim());
}

function optionsOf(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    const [name = ''] = arg.split('=');
    if (!carried.has(name)) return [];
    const value = args[index + 1];
    return arg.includes('=') ? [arg] : value === undefined ? [] : [arg, value];
  });
}
