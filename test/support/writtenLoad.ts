import type { RunResult } from '../../src/report/result.ts';
import { gatecheck, type Ended, type Invocation } from './gatecheck.ts';
import type { Sandbox } from './sandbox.ts';
import { resultOf } from './writtenResult.ts';

/** Drives a load against a sandbox by the command line; its reports go to `out`. */
export function loadAt(
  sandbox: Pick<Sandbox, 'url' | 'keys'>,
  args: readonly string[],
  given: Invocation = {},
): Promise<Ended> {
  return gatecheck(['load', '--report-dir', 'out', ...args], {
    ...given,
    env: { GATECHECK_TARGET: sandbox.url, GATECHECK_KEYS_PRIMARY: sandbox.keys.join(','), ...given.env },
  });
}

/** What result.json says of the load, in the folder `out` of a command. */
export function loadOf(ended: Ended): NonNullable<RunResult['load']> {
  const { load } = resultOf(ended);
  if (!load) throw new Error('the result has no load');
  return load;
}
