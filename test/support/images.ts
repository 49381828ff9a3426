import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtDist } from './builtPackage.ts';

const root = join(import.meta.dirname, '../..');
const images = {
  base: 'gatecheck-test-base',
  modules: 'gatecheck-test-modules',
  files: 'gatecheck-test-files',
  reference: 'gatecheck-test-reference',
  gatecheck: 'gatecheck-test-gatecheck',
} as const;

const label = 'gatecheck.test=image';

/** Why no image can be built here; null where one can. */
export function missingEngine(): string | null {
  const client = findClient();
  if (client === null) return 'no Docker client with BuildKit is installed';
  const { status, stderr } = spawnSync(client[0], [...client.slice(1), 'info'], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return status === 0 ? null : `no container engine answers: ${stderr.trim()}`;
}

/** Builds the base from this Node and its libraries, and both images of the Dockerfile on it; pulls nothing. */
export function buildImages(): typeof images {
  buildBase();
  buildFiles();
  inFolder((folder) => {
    const file = join(folder, 'Dockerfile');
    writeFileSync(file, withoutInstalling(readFileSync(join(root, 'Dockerfile'), 'utf8')));
    const args = ['--file', file, '--build-arg', `BASE=${images.base}`];
    build(root, images.reference, [...args, '--target', 'reference']);
    build(root, images.gatecheck, [...args, '--target', 'gatecheck']);
  });
  // Of what was built before, only layers without a name are left.
  docker(['image', 'prune', '--force', '--filter', `label=${label}`]);
  return images;
}

/** The Dockerfile with the installed package from an image, as nothing can be pulled for the stage that installs it. */
function withoutInstalling(dockerfile: string): string {
  const stage = /^FROM \S+ AS files\n[^]*?(?=^FROM )/m;
  if (!stage.test(dockerfile)) throw new Error('the Dockerfile has no stage `files`');
  return dockerfile.replace(stage, `FROM ${images.files} AS files\n`);
}

/** The node binary, the libraries that it is linked with, and the few files that a program takes for granted. */
function buildBase(): void {
  inFolder((folder) => {
    const files = join(folder, 'root');
    copyTo(files, process.execPath, '/usr/local/bin/node');
    for (const library of librariesOf(process.execPath)) copyTo(files, library, library);
    write(files, '/etc/passwd', 'root:x:0:0::/:\nnode:x:1000:1000::/home/node:\n');
    write(files, '/etc/group', 'root:x:0:\nnode:x:1000:\n');
    for (const shared of ['/tmp', '/home/node']) {
      write(files, join(shared, '.keep'), '');
      chmodSync(join(files, shared), 0o1777);
    }
    write(folder, '/Dockerfile', 'FROM scratch\nCOPY root /\n');
    build(folder, images.base);
  });
}

/** Parts of the C library that native packages and the look-up of names ask for. */
const alongside = ['librt.so.1', 'libresolv.so.2', 'libnss_dns.so.2', 'libnss_files.so.2'];

function librariesOf(binary: string): readonly string[] {
  const listed = execFileSync('ldd', [binary], { encoding: 'utf8' });
  const libraries = [...listed.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path);
  const libc = dirname(libraries.find((path) => path.includes('libc.so')) ?? '/lib/libc.so');
  return [...libraries, ...alongside.map((name) => join(libc, name)).filter((path) => existsSync(path))];
}

/** The package as it would be installed: the packages it needs, which change with the lockfile only, and the build. */
function buildFiles(): void {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
    .slice(0, 12);
  const modules = `${images.modules}:${lock}`;
  if (!exists(modules)) buildModules(modules);
  inFolder((folder) => {
    const app = join(folder, 'app');
    mkdirSync(join(folder, 'reports'));
    cpSync(builtDist(), join(app, 'dist'), { recursive: true });
    for (const name of ['bin', 'fixtures', 'schemas', 'package.json'])
      cpSync(join(root, name), join(app, name), { recursive: true });
    write(folder, '/Dockerfile', `FROM ${modules}\nCOPY app /app\nCOPY reports /reports\n`);
    build(folder, images.files);
  });
}

/** Copied from the packages of this clone, which `npm ci` has installed by the same lockfile. */
function buildModules(tag: string): void {
  inFolder((folder) => {
    for (const path of installedWith(['dependencies', 'peerDependencies']))
      cpSync(join(root, path), join(folder, 'app', path), { recursive: true });
    write(folder, '/Dockerfile', 'FROM scratch\nCOPY app/node_modules /app/node_modules\n');
    build(folder, tag);
  });
}

type Kind = 'dependencies' | 'optionalDependencies' | 'peerDependencies';
type Manifest = Readonly<Partial<Record<Kind, Readonly<Record<string, string>>>>>;

/**
 * Paths of all packages that come with the package: as the Dockerfile does, with those that a user installs on demand. One within another
 * package comes with that.
 */
function installedWith(kinds: readonly Kind[]): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Manifest>>;
  };
  const found = new Set<string>();
  const add = (from: string, of: readonly Kind[]): void => {
    for (const name of of.flatMap((kind) => Object.keys(packages[from]?.[kind] ?? {}))) {
      const path = pathsTo(name, from).find((one) => existsSync(join(root, one)));
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      add(path, ['dependencies', 'optionalDependencies', 'peerDependencies']);
    }
  };
  add('', kinds);
  return [...found].filter((path) => !path.slice(1).includes('node_modules/'));
}

/** Where a package is looked for from another one: within it, and within those around it. */
function pathsTo(name: string, from: string): readonly string[] {
  const parts = from.split(/(?<=node_modules\/(?:@[^/]+\/)?[^/]+)\//).filter((part) => part !== '');
  return [...parts.keys(), parts.length]
    .reverse()
    .map((count) => [...parts.slice(0, count), 'node_modules', name].join('/'));
}

function build(context: string, tag: string, args: readonly string[] = []): void {
  docker(['build', '--quiet', '--tag', tag, '--label', label, ...args, context]);
}

function exists(tag: string): boolean {
  return docker(['image', 'ls', '--quiet', tag]).trim() !== '';
}

/** Runs the client of the engine, and returns what it prints. */
export function docker(args: readonly string[]): string {
  const { status, stdout, stderr } = dockerResult(args);
  if (status !== 0) throw new Error(`docker ${args[0] ?? ''} ended with ${String(status)}: ${stderr}`);
  return stdout;
}

/** The same, however it ends. */
export function dockerResult(args: readonly string[]) {
  const [command, ...first] = findClient() ?? ['docker'];
  return spawnSync(command, [...first, ...args], {
    encoding: 'utf8',
    env: { ...process.env, DOCKER_BUILDKIT: '1' },
    timeout: 300_000,
  });
}

type Client = readonly [command: string, ...args: string[]];

let client: Client | null | undefined;

/** Podman's client where its service answers, which has no BuildKit for Docker's client; otherwise Docker's. */
function findClient(): Client | null {
  if (client !== undefined) return client;
  const ofDocker = ['docker', '/usr/bin/docker'].find(hasBuildKit);
  client = podmanClient() ?? (ofDocker === undefined ? null : [ofDocker]);
  return client;
}

/** A service of Podman is taken where it is named only, as Gatecheck finds it. */
function podmanClient(): Client | null {
  const { DOCKER_HOST } = process.env;
  if (DOCKER_HOST === undefined) return null;
  const podman: Client = ['podman', '--remote', '--url', DOCKER_HOST];
  return spawnSync(podman[0], [...podman.slice(1), 'info'], { timeout: 20_000 }).status === 0 ? podman : null;
}

/** Newer clients have BuildKit as a plugin that may be missing; Debian's has it built in. */
function hasBuildKit(client: string): boolean {
  const { status, stdout } = spawnSync(client, ['--version'], { encoding: 'utf8' });
  if (status !== 0) return false;
  const major = Number(/version (\d+)/.exec(stdout)?.[1]);
  return major < 23 || spawnSync(client, ['buildx', 'version']).status === 0;
}

function inFolder(run: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-image-'));
  try {
    run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function copyTo(folder: string, from: string, path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  copyFileSync(from, join(folder, path));
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
