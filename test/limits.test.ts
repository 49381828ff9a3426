import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resultSchema, type RunResult } from '../src/index.ts';
import { defects } from '../src/reference/defects.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { listen } from '../src/reference/listen.ts';
import { documentedPolicy, type Policy } from '../src/reference/policy.ts';
import { gatecheck, type Ended } from './support/gatecheck.ts';

interface Verified extends Ended {
  readonly result: RunResult;
}

/** Verifies the limits of the reference through a socket, with the state handler moving its clock. */
async function verify(policy: Partial<Policy>, ...args: readonly string[]): Promise<Verified> {
  const { keys, enterprises } = defaultEnterprises(1);
  const deployment = createDeployment({ enterprises, policy: { ...documentedPolicy, ...policy } });
  const server = await listen(deployment, { stateHandler: true });
  try {
    const ended = await gatecheck(
      [
        'limits',
        '--target',
        server.url,
        '--state-handler',
        server.stateHandlerUrl ?? '',
        '--seed',
        '1',
        ...args,
      ],
      {
        env: {
          GATECHECK_KEYS_PRIMARY: keys.primary.slice(0, 2).join(','),
          GATECHECK_KEYS_OTHER: keys.other[0] ?? '',
        },
      },
    );
    const text = readFileSync(join(ended.folder, 'reports/latest/result.json'), 'utf8');
    return { ...ended, result: JSON.parse(text) as RunResult };
  } finally {
    await server.close();
    await deployment.close();
  }
}

function policyOf(id: string): Partial<Policy> {
  const defect = defects.find((one) => one.id === id);
  if (!defect) throw new Error(`the reference has no defect ${id}`);
  return defect.policy;
}

const minute = ['--only', 'shared.limits.minute'];

describe('gatecheck limits', () => {
  test('names the documented limiter of both windows, says beforehand what it sends, and exits 0', async () => {
    const { code, stdout, stderr, result } = await verify({}, '--max-requests', '4000');
    expect(stdout).toContain('✓ Minute limit: rolling log of 60, as documented');
    expect(stdout).toContain('✓ Hour limit: rolling log of 1000, as documented');
    expect(stderr).toMatch(/^limits: \d+ checks, at most \d+ requests, up to 200 at once/m);
    expect(resultSchema.safeParse(result).error).toBeUndefined();
    expect(result.findings).toEqual([]);
    expect(result.summary.throttled).toBe(0);
    expect(result.limits?.timelines?.[0]?.requests).toHaveLength(263);
    expect(code).toBe(0);
  });

  test.each([
    ['minute-one-too-many', 'rolling log of 61', 'SHR-LIM-002'],
    ['minute-token-bucket', 'token bucket of 60', 'SHR-LIM-005'],
    ['minute-first-request-window', 'fixed window of 60 opened by the first request', 'SHR-LIM-003'],
    ['limit-per-api', 'rolling log of 60, one for each API', 'SHR-LIM-014'],
  ])('calls %s by its name and exits 1', async (defect, name, row) => {
    const { code, stdout, result } = await verify(policyOf(defect), ...minute);
    expect(stdout).toContain(`✗ Minute limit: ${name}`);
    expect(new Set(result.findings.map(({ requirement }) => requirement))).toEqual(new Set([row]));
    expect(code).toBe(1);
  });

  test('finds in another budget what counts there', async () => {
    const { code, stdout } = await verify(
      policyOf('limit-per-connection'),
      '--only',
      'shared.limits.connections',
    );
    expect(stdout).toContain('SHR-LIM-024');
    expect(code).toBe(1);
  });
});

test('a run without leave to wait does not verify the limits of a target whose clock nobody moves', async () => {
  const { keys, enterprises } = defaultEnterprises(1);
  const deployment = createDeployment({ enterprises });
  const server = await listen(deployment);
  try {
    const env = { GATECHECK_KEYS_PRIMARY: keys.primary[0] ?? '' };
    const planned = await gatecheck(['plan', '--target', server.url, '--format', 'json'], { env });
    const { skipped } = JSON.parse(planned.stdout) as { skipped: readonly { id: string }[] };
    expect(JSON.stringify(skipped)).toContain('shared.limits.minute');
  } finally {
    await server.close();
    await deployment.close();
  }
});
