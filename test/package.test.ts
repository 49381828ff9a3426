import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtDist } from './support/builtPackage.ts';
import { linksOf } from './support/docPages.ts';

// The package as others get it: packed, unpacked into a project of theirs, with the packages that it depends on and no others.

const root = join(import.meta.dirname, '..');
const project = mkdtempSync(join(tmpdir(), 'gatecheck-package-'));
const installed = join(project, 'node_modules', 'gatecheck');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly bundleDependencies: readonly string[];
  readonly files: readonly string[];
};
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly dev?: true;
        readonly devOptional?: true;
        readonly peer?: true;
        readonly inBundle?: true;
        readonly engines?: { readonly node?: string };
      }
    >
  >;
};
/** Folders of the packages that come with an installed Gatecheck. */
const brought = Object.entries(lock.packages)
  .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
  .map(([path]) => path);
/** What the user's own program of the test below needs. */
const userTypes = ['@types/node', 'undici-types'];
let archive = '';

beforeAll(() => {
  const packed = join(project, 'packed');
  mkdirSync(packed);
  cpSync(builtDist(), join(packed, 'dist'), { recursive: true });
  const others = manifest.files.filter((name) => name !== 'dist');
  for (const name of ['package.json', 'README.md', 'LICENSE', ...others])
    cpSync(join(root, name), join(packed, name), { recursive: true });
  for (const name of manifest.bundleDependencies)
    cpSync(join(root, 'node_modules', name), join(packed, 'node_modules', name), { recursive: true });
  const tarball = execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', project], {
    cwd: packed,
    encoding: 'utf8',
  });
  mkdirSync(join(project, 'node_modules'));
  archive = join(project, tarball.trim().split('\n').at(-1) ?? '');
  execFileSync('tar', ['-xzf', archive, '-C', project]);
  renameSync(join(project, 'package'), installed);
  const names = brought.map((path) => path.replace(/^node_modules\//, ''));
  for (const name of [...names, ...userTypes].filter((one) => !one.includes('node_modules'))) {
    mkdirSync(join(project, 'node_modules', name, '..'), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
}, 240_000);
afterAll(() => rmSync(project, { recursive: true, force: true }), 120_000);

function node(...args: readonly string[]): { readonly code: number; readonly output: string } {
  try {
    const output = execFileSync(process.execPath, ['--preserve-symlinks', ...args], {
      cwd: project,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, GATECHECK_KEYS_PRIMARY: 'a-key-of-nobody' },
    });
    return { code: 0, output };
  } catch (error) {
    const { status, stderr, stdout } = error as {
      readonly status: number;
      readonly stderr: string;
      readonly stdout: string;
    };
    return { code: status, output: stdout + stderr };
  }
}

test('publint finds nothing wrong with it', async () => {
  const { messages } = await publint({ pkgDir: installed, strict: true, pack: false });
  expect(messages.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([]);
});

test('no link of its pages leads out of it', () => {
  const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && !name.startsWith('node_modules'),
  );
  expect(pages).toContain(join('docs', 'state-handler.md'));
  const dead = pages.flatMap((page) =>
    linksOf(page)
      .filter((path) => !existsSync(join(installed, path)))
      .map((path) => `${page}: ${path}`),
  );
  expect(dead).toEqual([]);
});

test('are the types wrong? finds that they are right wherever modules are resolved as ECMAScript modules', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(archive)));
  if (analysis.types === false) throw new Error('The package has no types.');
  const { entrypoints, problems } = analysis;
  expect(Object.keys(entrypoints)).toEqual(['.', './testcontainers', './vitest']);
  // The package is for ECMAScript modules only: `require` of CommonJS and the resolution of Node 10 do not count.
  const elsewhere = new Set(['node10', 'node16-cjs']);
  expect(problems.filter((one) => !('resolutionKind' in one) || !elsewhere.has(one.resolutionKind))).toEqual(
    [],
  );
});

test('it has types, and a program in TypeScript that uses the library compiles', () => {
  const options = {
    module: 'nodenext',
    strict: true,
    noEmit: true,
    target: 'es2024',
    skipLibCheck: false,
    types: ['node'],
  };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['program.ts'] }),
  );
  writeFileSync(
    join(project, 'program.ts'),
    `import { defineConfig, openTarget, resolveSettings, run, startReference, startSink, type RunResult } from 'gatecheck';
const config = defineConfig({ target: 'embedded', profile: 'smoke' });
export async function judge(): Promise<RunResult> {
  await using reference = await startReference({ seed: 2 });
  await using sink = await startSink({ answer: '200' });
  const server = { fetch: (request: Request) => fetch(new Request(reference.url + new URL(request.url).pathname, request)) };
  const { result } = await run(resolveSettings(config), { openTarget: openTarget(server) });
  return sink.deliveries.length > 0 ? result : result;
}
// @ts-expect-error: a profile that does not exist
defineConfig({ profile: 'quick' });
`,
  );
  const { output } = node(join(root, 'node_modules/typescript/bin/tsc'), '-p', project);
  expect(output).toBe('');
});

test('the example with node:test judges a server of its own process', () => {
  cpSync(join(root, 'examples/library/node.test.js'), join(project, 'node.test.js'));
  expect(node('--test', 'node.test.js')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/pass 1\n/) as string,
  });
});

test('so does the example with vitest, with a test for each requirement', () => {
  symlinkSync(join(root, 'node_modules/vitest'), join(project, 'node_modules/vitest'));
  cpSync(join(root, 'examples/library/vitest.test.js'), join(project, 'vitest.test.js'));
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'vitest.test.js', '--reporter=tap-flat'];
  const output = execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8', stdio: 'pipe' });
  expect(output).toMatch(/^ok \d+ - vitest\.test\.js > conformance > web-check-in > .* > WCI-STS-001 /m);
  expect(output).toMatch(/^ok \d+ - vitest\.test\.js > conformance > the gate is met/m);
  expect(output).not.toMatch(/^not ok/m);
}, 120_000);

test.each([
  [
    ['run', '--image', 'example/image:1', '--yes'],
    /expected the package testcontainers.*npm install --save-dev testcontainers/s,
  ],
  [
    ['worker', '--redis', 'redis://127.0.0.1:1', '--target', 'http://127.0.0.1:1'],
    /npm install --save-dev bullmq ioredis/,
  ],
])('what an optional package is missing for is said: %j', (args, said) => {
  const { code, output } = node(join(installed, 'dist/src/cli/main.js'), ...args);
  expect(output).toMatch(said);
  expect(code).toBe(2);
});

test('it brings few packages, and those that only some users need are none of them', () => {
  const sizes = execFileSync('du', ['-smLc', installed, ...brought], { cwd: root, encoding: 'utf8' });
  const megabytes = Number(/^(\d+)\ttotal$/m.exec(sizes)?.[1]);
  expect(brought.length).toBeLessThanOrEqual(80);
  expect(megabytes).toBeLessThanOrEqual(50);
  const named = new Set(brought.map((path) => path.replace(/^.*node_modules\//, '')));
  const elsewhere = [...Object.keys(manifest.peerDependencies), 'selfsigned', 'vitest', 'typescript'];
  expect(elsewhere.filter((name) => named.has(name))).toEqual([]);
});

test('on Node 20 npm warns of Gatecheck alone: the rest installs there, or comes in the package', () => {
  const warned = brought.filter((path) => {
    const { inBundle, engines } = lock.packages[path] ?? {};
    return !inBundle && !runsOnNode20(engines?.node ?? '*');
  });
  expect(warned).toEqual([]);
  for (const name of manifest.bundleDependencies)
    expect(existsSync(join(installed, 'node_modules', name, 'package.json'))).toBe(true);
});

function runsOnNode20(engines: string): boolean {
  return engines.split('||').some((range) => {
    const [, sign = '', major = '0'] = /(>=|\^)? *v?(\d+)/.exec(range) ?? [];
    return range.trim() === '*' || (sign === '>=' ? Number(major) <= 20 : Number(major) === 20);
  });
}

test('a run of the command line needs no other package', () => {
  const { code, output } = node(
    join(installed, 'bin/gatecheck.js'),
    ...['run', '--target', 'embedded', '--quiet', '--only', 'wci.status.own'],
  );
  expect(output).toMatch(/CONFORMANT \(\d+ of \d+ requirements selected\)/);
  expect(code).toBe(0);
});

test('the packages of its tests and builds are none of it', () => {
  expect(existsSync(join(installed, 'src'))).toBe(false);
  expect(existsSync(join(installed, 'test'))).toBe(false);
});
