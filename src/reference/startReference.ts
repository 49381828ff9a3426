import { createDeployment, type Deployment } from './deployment.ts';
import { defaultEnterprises, type DefaultKeys } from './enterprises.ts';
import { listen, type Listening, type ListenOptions } from './listen.ts';
import type { DeploymentOptions } from './parts.ts';
import { documentedPolicy, type Policy } from './policy.ts';

export interface StartReferenceOptions
  extends Omit<DeploymentOptions, 'enterprises' | 'policy'>, ListenOptions {
  /** What it does in another way than documented: dialects and mistakes. */
  readonly policy?: Partial<Policy>;
}

/** The reference deployment behind a port of this machine. */
export interface StartedReference extends Listening, AsyncDisposable {
  readonly keys: DefaultKeys;
  readonly deployment: Deployment;
}

/** Stands both APIs up on loopback, so that programs which use them can be tested; the state handler is offered unless refused. */
export async function startReference(options: StartReferenceOptions = {}): Promise<StartedReference> {
  const { host, port, statePort, stateHandler = true, policy, ...rest } = options;
  const { enterprises, keys } = defaultEnterprises(options.seed ?? 1);
  const deployment = createDeployment({ ...rest, enterprises, policy: { ...documentedPolicy, ...policy } });
  const place = { host, port, statePort };
  const given = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
  const listening = await listen(deployment, { ...given, stateHandler });
  const close = async () => {
    await listening.close();
    await deployment.close();
  };
  return { ...listening, keys, deployment, close, [Symbol.asyncDispose]: close };
}
