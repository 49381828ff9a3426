import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The launcher in a folder without any npm package beside it, and a stand-in for the build. */
function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-launcher-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'dist/src/cli'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  copyFileSync(join(root, 'bin/gatecheck.js'), join(folder, 'bin/gatecheck.js'));
  writeFileSync(
    join(folder, 'dist/src/cli/main.js'),
    'console.log(`started on ${process.version}`); process.exit(3);',
  );
  return folder;
}

/** Runs it with a Node that says of itself to be of another version. */
function launch(folder: string, version = process.version) {
  const pretend = `Object.defineProperty(process, 'version', { value: '${version}' })`;
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(pretend)}`,
    join(folder, 'bin/gatecheck.js'),
  ];
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined };
  return spawnSync(process.execPath, args, { encoding: 'utf8', env });
}

test('a Node that is new enough starts the build, whose exit code counts', () => {
  expect(launch(installed())).toMatchObject({ status: 3, stdout: `started on ${process.version}\n` });
});

test('sources come before a build, which may be older', () => {
  const folder = installed();
  mkdirSync(join(folder, 'src/cli'), { recursive: true });
  writeFileSync(join(folder, 'src/cli/main.ts'), 'const told: string = "sources"; console.log(told);');
  expect(launch(folder)).toMatchObject({ status: 0, stdout: 'sources\n' });
});

test.each(['v20.20.2', process.version])(
  'a clone without its packages says how to get them, on Node %s',
  (version) => {
    const folder = installed();
    mkdirSync(join(folder, 'src/cli'), { recursive: true });
    for (const file of ['src/cli/main.ts', 'package-lock.json']) writeFileSync(join(folder, file), '');
    const { status, stderr } = launch(folder, version);
    expect(stderr).toMatch(/^error: expected the packages of this clone; got none\. .*npm ci\n$/);
    expect(status).toBe(2);
  },
);

test.each(['v18.20.0', 'v20.20.2', 'v22.18.0'])(
  'Node %s is refused with exit code 2 before anything is loaded',
  (version) => {
    const { status, stdout, stderr } = launch(installed(), version);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^error: expected Node 22.19 or newer; got ${version}\\..*\\n$`));
  },
);

test('an old Node hands over to the npm package node where there is one', () => {
  const folder = installed();
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  const script = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`;
  writeFileSync(join(folder, 'node_modules/.bin/node'), script, { mode: 0o755 });
  expect(launch(folder, 'v20.20.2')).toMatchObject({ status: 3, stdout: `started on ${process.version}\n` });
});

test('what Node makes of the modules is kept beside the packages, and nowhere where there are none', () => {
  const folder = installed();
  expect(launch(folder)).toMatchObject({ status: 3 });
  expect(existsSync(join(folder, 'node_modules'))).toBe(false);
  mkdirSync(join(folder, 'node_modules'));
  expect(launch(folder)).toMatchObject({ status: 3 });
  expect(readdirSync(join(folder, 'node_modules/.cache/gatecheck')).length).toBe(1);
});

describe('a child that hears no signal', () => {
  const ignoresSignals =
    'for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => {}); console.log("ignoresSignals"); for (;;);';

  async function endOf(
    ask: (child: ChildProcess) => unknown,
    launcher: (text: string) => string = (text) => text,
  ) {
    const folder = installed();
    for (const name of ['main', 'launched'])
      writeFileSync(join(folder, `dist/src/cli/${name}.js`), ignoresSignals);
    const file = join(folder, 'bin/gatecheck.js');
    writeFileSync(file, launcher(readFileSync(file, 'utf8')));
    const child = spawn(process.execPath, [file, 'run'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout.once('data', () => void ask(child));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, said };
  }
  const ended = {
    code: 70,
    said: 'error: Gatecheck itself failed: it did not end when it was asked to.\n',
  };

  test('is ended some seconds after the second one', { timeout: 20_000 }, async () => {
    const twice = async (child: ChildProcess) => {
      child.kill('SIGTERM');
      await setTimeout(400);
      child.kill('SIGTERM');
    };
    expect(await endOf(twice)).toEqual(ended);
  });

  test('is ended after the first one once its time is over', { timeout: 20_000 }, async () => {
    const hasty = (text: string) => text.replace('mostMs = 130_000', 'mostMs = 1_000');
    expect(await endOf((child) => child.kill('SIGHUP'), hasty)).toEqual(ended);
  });
});
