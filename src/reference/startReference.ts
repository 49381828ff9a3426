import { checkOptions } from '../core/knownOptions.ts';
import { suggest } from '../core/suggest.ts';
import { defects } from './defects.ts';
import { createDeployment, type Deployment } from './deployment.ts';
import { defaultEnterprises, type DefaultKeys } from './enterprises.ts';
import { listen, type Listening, type ListenOptions } from './listen.ts';
import type { DeploymentOptions } from './parts.ts';
import { documentedPolicy, type Policy } from './policy.ts';

export interface StartReferenceOptions
  extends Omit<DeploymentOptions, 'enterprises' | 'policy'>, ListenOptions {
  /** What it does in another way than documented: dialects and mistakes. */
  readonly policy?: Partial<Policy>;
  /** Ids of mistakes, as `gatecheck serve --list-defects` shows them. */
  readonly defects?: readonly string[];
}

const known: Readonly<Record<keyof StartReferenceOptions, true>> = {
  ...{ host: true, port: true, statePort: true, stateHandler: true, policy: true, defects: true },
  ...{ seed: true, limits: true, clock: true, onRequest: true, deliver: true },
};

/** The reference deployment behind a port of this machine. */
export interface StartedReference extends Listening, AsyncDisposable {
  readonly keys: DefaultKeys;
  readonly deployment: Deployment;
}

/**
 * Stands both APIs up on loopback, so that programs which use them can be tested; the state handler is offered unless refused.
 * @throws TypeError for an option, a policy or a mistake that does not exist.
 */
export async function startReference(options: StartReferenceOptions = {}): Promise<StartedReference> {
  checkOptions('startReference', options, known);
  if (options.defects !== undefined && !isListOfTexts(options.defects))
    throw new TypeError(
      "startReference: expected defects as a list of ids, such as ['update-merges-fields']",
    );
  const { host, port, statePort, stateHandler = true, policy = {}, defects: ids = [], ...rest } = options;
  checkOptions('policy of startReference', policy, documentedPolicy as unknown as Record<keyof Policy, true>);
  const { enterprises, keys } = defaultEnterprises(options.seed ?? 1);
  const deployment = createDeployment({
    ...{ ...rest, enterprises },
    policy: Object.assign({ ...documentedPolicy }, ...ids.map(policyOf), policy) as Policy,
  });
  const place = { host, port, statePort };
  const given = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
  const listening = await listen(deployment, { ...given, stateHandler });
  const close = async () => {
    await listening.close();
    await deployment.close();
  };
  return { ...listening, keys, deployment, close, [Symbol.asyncDispose]: close };
}

function policyOf(id: string): Partial<Policy> {
  const defect = defects.find((one) => one.id === id);
  if (defect) return defect.policy;
  const meant = suggest(
    id,
    defects.map((one) => one.id),
  );
  throw new TypeError(
    `the reference has no defect '${id}'${meant}; gatecheck serve --list-defects lists them`,
  );
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
