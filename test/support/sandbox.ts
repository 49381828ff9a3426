import { systemClock } from '../../src/core/clock.ts';
import { createDeployment, type Deployment } from '../../src/reference/deployment.ts';
import type { DeploymentOptions, RequestLogEntry } from '../../src/reference/parts.ts';
import { defaultEnterprises } from '../../src/reference/enterprises.ts';
import { listen } from '../../src/reference/listen.ts';

export interface Sandbox {
  readonly url: string;
  readonly keys: readonly string[];
  /** All that it was asked, in order. */
  readonly log: readonly RequestLogEntry[];
  readonly close: () => Promise<void>;
}

/** The reference deployment on a port of this process, which sees what it is asked. */
export async function openSandbox(
  options: Partial<DeploymentOptions> = {},
  create: (options: DeploymentOptions) => Deployment = createDeployment,
): Promise<Sandbox> {
  const { enterprises, keys } = defaultEnterprises(1);
  const log: RequestLogEntry[] = [];
  const deployment = create({
    clock: systemClock,
    seed: 1,
    enterprises,
    onRequest: (entry) => log.push(entry),
    ...options,
  });
  const server = await listen(deployment, { host: '127.0.0.1', port: 0 });
  return {
    url: server.url,
    keys: keys.primary,
    log,
    close: async () => {
      await server.close();
      await deployment.close();
    },
  };
}
