import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReference } from '../src/reference/startReference.ts';
import { root } from './support/docPages.ts';

// The examples for other languages and frameworks, run as their first lines say.

const folder = join(root, 'examples/state-handler');

/** Why an example cannot be run here, or null. */
function missing(command: string, args: readonly string[], name: string): string | null {
  return spawnSync(command, args).status === 0 ? null : `skipped: there is no ${name} here`;
}

/** The Python that has FastAPI: that of the machine may not be the first on the path. */
const python =
  ['python3', '/usr/bin/python3'].find(
    (name) => missing(name, ['-c', 'import fastapi, uvicorn'], '') === null,
  ) ?? 'python3';

const stateHandlers = [
  {
    name: 'Express',
    why: null,
    command: process.execPath,
    args: [join(folder, 'express.js')],
  },
  {
    name: 'FastAPI',
    why: missing(python, ['-c', 'import fastapi, uvicorn'], 'FastAPI with uvicorn'),
    command: python,
    args: ['-m', 'uvicorn', '--app-dir', folder, 'fastapi_app:app', '--port', '0'],
  },
];

describe.each(stateHandlers)('the state handler on $name', ({ name, why, command, args }) => {
  test(`does what the protocol says${why === null ? '' : ` (${why})`}`, async ({ skip }) => {
    if (why !== null) skip(why);
    const url = await addressOf(spawn(command, args, { env: { ...process.env, PORT: '0' } }));
    const post = async (body: string) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(`${url}/_state`, { method: 'POST', headers, body });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const state = (state: string, params: object = {}) => post(JSON.stringify({ state, params }));
    const listed = async (key: string) =>
      (await fetch(`${url}/extPartner/api/webcheckin/requests`, { headers: { 'X-API-Key': key } })).status;

    const capabilities = await state('capabilities');
    expect(capabilities.body, name).toMatchObject({ ok: true, clock: [] });
    expect(capabilities.body.states).toContain('keys.issue');
    const [key = ''] = (await state('enterprise.create', { included_units: 5, keys: 1 })).body
      .keys as string[];
    const issued = (await state('keys.issue', { key, count: 2 })).body.keys as string[];
    expect(issued).toHaveLength(2);
    for (const one of [key, ...issued]) expect(await listed(one)).toBe(200);
    await state('keys.revoke', { key: issued[0] });
    expect(await listed(issued[0] ?? '')).toBe(401);
    expect(await listed(key)).toBe(200);
    await state('entitlement.set', { key, status: 'suspended' });
    expect((await state('entitlement.get', { key: issued[1] })).body).toMatchObject({
      status: 'suspended',
      included_units: 5,
      consumed_units: 0,
    });
    expect(await state('no.such-state')).toMatchObject({
      status: 501,
      body: { ok: false, error: 'UNSUPPORTED_STATE' },
    });
    for (const malformed of ['{"state":', '[]', '{"state":"capabilities","params":[]}'])
      expect(await post(malformed), malformed).toMatchObject({ status: 400, body: { ok: false } });
    expect(await state('keys.issue', { key: 'no such key' })).toMatchObject({
      status: 400,
      body: { ok: false },
    });
  });
});

const clients = [
  { name: 'Python', command: 'python3', args: ['examples/clients/client_test.py'], version: ['--version'] },
  { name: 'Go', command: 'go', args: ['test', 'examples/clients/client_test.go'], version: ['version'] },
];

describe.each(clients)('the client in $name', ({ name, command, args, version }) => {
  const why = missing(command, version, name);
  test(`passes its tests against the reference${why === null ? '' : ` (${why})`}`, async ({ skip }) => {
    if (why !== null) skip(why);
    await using reference = await startReference();
    const child = spawn(command, args, {
      cwd: root,
      env: {
        ...process.env,
        GATECHECK_TARGET: reference.url,
        GATECHECK_KEYS_PRIMARY: reference.keys.primary.join(','),
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code, output).toBe(0);
  });
});

const springJars = ['web', 'core', 'context', 'beans'].map((part) => `/usr/share/java/spring3-${part}.jar`);
const noSpring =
  missing('javac', ['-version'], 'JDK') ??
  (springJars.every((jar) => existsSync(jar)) ? null : 'skipped: there are no packages of Spring here');

test(`the state handler on Spring compiles and does what the protocol says${noSpring === null ? '' : ` (${noSpring})`}`, ({
  skip,
}) => {
  if (noSpring !== null) skip(noSpring);
  const classes = mkdtempSync(join(tmpdir(), 'gatecheck-spring-'));
  const path = [...springJars, '/usr/share/java/commons-logging.jar', classes].join(':');
  const sources = [join(folder, 'StateHandlerController.java'), join(root, 'test/support/SpringStates.java')];
  const compiled = spawnSync('javac', ['-parameters', '-d', classes, '-cp', path, ...sources], {
    encoding: 'utf8',
  });
  expect(compiled.stderr).toBe('');
  const told = spawnSync('java', ['-cp', path, 'SpringStates'], { encoding: 'utf8' });
  expect(told.stdout.trim().split('\n'), told.stderr).toEqual([
    '200 true true',
    '200 2',
    '200 false',
    '400',
    '501 UNSUPPORTED_STATE',
  ]);
});

/** The address that a server names when it is ready; it is ended with the test. */
async function addressOf(child: ChildProcess): Promise<string> {
  onTestFinished(() => void child.kill());
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
        if (address !== undefined) resolve(address);
      });
    child.once('close', () => reject(new Error(`The example ended before it listened: ${output}`)));
  });
}
