import type { RunResult } from '../../src/report/result.ts';
import { commandLine } from './commandLine.ts';
import { gatecheck, type Ended, type Invocation } from './gatecheck.ts';
import type { Sandbox } from './sandbox.ts';
import { resultOf } from './writtenResult.ts';

/** Drives a load against a sandbox by the command line; its reports go to `out`. */
export function loadAt(
  sandbox: Pick<Sandbox, 'url' | 'keys'>,
  args: readonly string[],
  given: Invocation = {},
): Promise<Ended> {
  return gatecheck(['load', ...toOut, ...args], { ...given, env: { ...envOf(sandbox), ...given.env } });
}

/** The same within this process, for what is refused before anything is sent. */
export function refusedAt(
  sandbox: Pick<Sandbox, 'url' | 'keys'>,
  args: readonly string[],
  env: Invocation['env'] = {},
): Promise<Ended> {
  return commandLine(['load', ...toOut, ...args], { env: { ...envOf(sandbox), ...env } });
}

const toOut = ['--report-dir', 'out'];

function envOf({ url, keys }: Pick<Sandbox, 'url' | 'keys'>): Readonly<Record<string, string>> {
  return { GATECHECK_TARGET: url, GATECHECK_KEYS_PRIMARY: keys.join(',') };
}

/** What result.json says of the load, in the folder `out` of a command. */
export function loadOf(ended: Ended): NonNullable<RunResult['load']> {
  const { load } = resultOf(ended);
  if (!load) throw new Error('the result has no load');
  return load;
}
