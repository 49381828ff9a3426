import { systemClock } from '../../core/clock.ts';
import { type ExitCode, exitCodes } from '../../core/errors.ts';
import { listenError } from '../../core/listenFault.ts';
import { createDeployment, type Deployment } from '../../reference/deployment.ts';
import { defaultEnterprises } from '../../reference/enterprises.ts';
import { listen, type Listening } from '../../reference/listen.ts';
import { documentedPolicy } from '../../reference/policy.ts';
import type { Io } from '../../core/io.ts';
import { renderBanner, renderExports } from './banner.ts';
import { keyLabels } from './keyLabels.ts';
import { logged, renderServed } from './log.ts';
import type { Policy } from '../../reference/policy.ts';
import type { ServeSettings } from './table.ts';
import { writeExports } from './writeExports.ts';

/** What `serve` runs. */
export interface Sandbox extends ServeSettings {
  readonly policy: Partial<Policy>;
}

/** Runs the reference deployment until an interrupt, with a log line for each request on stderr. */
export async function serve(settings: Sandbox, { stdout, stderr, onInterrupt }: Io): Promise<ExitCode> {
  const { enterprises, keys } = defaultEnterprises(settings.seed);
  const deployment = createDeployment({ ...deploymentOptions(settings), enterprises });
  const log = logged(
    deployment,
    keyLabels(keys, (key) => deployment.knowsKey(key)),
    (entry) => stderr.write(`${renderServed(entry, stderr.palette)}\n`),
  );
  const listening = await open(log, settings);
  if (settings.envFile !== null) await writeExports(settings.envFile, renderExports(listening, keys));
  stdout.write(renderBanner(listening, keys, stdout.palette));
  await new Promise<void>((resolve) => onInterrupt(resolve));
  return exitCodes.ok;
}

function deploymentOptions({ policy, limits, seed, clockOffsetMs }: Sandbox) {
  const clock = { ...systemClock, now: () => systemClock.now() + clockOffsetMs };
  return { policy: { ...documentedPolicy, ...policy }, limits, seed, clock };
}

async function open(deployment: Deployment, settings: Sandbox): Promise<Listening> {
  try {
    return await listen(deployment, settings);
  } catch (cause) {
    throw listenError({ ...settings, hostOption: '--host', portOption: '--port' }, cause);
  }
}
