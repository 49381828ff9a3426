import { defaultEnterprises } from '../../src/reference/enterprises.ts';
import { docker, dockerResult } from './images.ts';

/** The environment by which a run has all keys of a reference deployment with this seed. */
export function keysOf(seed: number): Readonly<Record<string, string>> {
  const { primary, other, revoked, disabled, noEntitlement, suspended, exhausted } =
    defaultEnterprises(seed).keys;
  return {
    ...engineOf(process.env),
    GATECHECK_KEYS_PRIMARY: primary.join(','),
    GATECHECK_KEYS_OTHER: other.join(','),
    GATECHECK_KEY_REVOKED: revoked,
    GATECHECK_KEY_DISABLED: disabled,
    GATECHECK_KEY_NO_ENTITLEMENT: noEntitlement,
    GATECHECK_KEY_SUSPENDED: suspended,
    GATECHECK_KEY_EXHAUSTED: exhausted,
  };
}

/** How the engine is found. */
function engineOf({ DOCKER_HOST, HOME = '/' }: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return { HOME, ...(DOCKER_HOST === undefined ? {} : { DOCKER_HOST }) };
}

/** Everything of Gatecheck that the engine holds at the moment, images aside: containers, networks and volumes. */
export function leftovers(): readonly string[] {
  return [
    ['ps', '--all', '--filter', 'label=gatecheck.run', '--format', 'container {{.Names}}'],
    ['network', 'ls', '--filter', 'label=gatecheck.run', '--format', 'network {{.Name}}'],
    ['volume', 'ls', '--filter', 'dangling=true', '--format', 'volume {{.Name}}'],
  ].flatMap((args) =>
    docker(args)
      .split('\n')
      .filter((line) => line !== ''),
  );
}

/** Removes what stands there. */
export function removeAll(): void {
  for (const line of leftovers()) {
    const [kind = '', name = ''] = line.split(' ');
    dockerResult(kind === 'container' ? ['rm', '--force', '--volumes', name] : [kind, 'rm', name]);
  }
}

/** Waits until something holds, for at most so long. */
export async function until(holds: () => boolean, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`nothing came within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
