#!/usr/bin/env node
// Starts Gatecheck with a Node that is new enough. Plain and old JavaScript, since an old Node has to read it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const needed = [22, 19];
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

if (isNewEnough(process.version)) start();
else startWithOtherNode();

/** The sources where they are, which Node runs without a build that may be older; an installed package holds the build only. */
function start() {
  const sources = existsSync(join(root, 'src/cli/main.ts'));
  keepCompiled();
  import(sources ? '../src/cli/main.ts' : '../dist/src/cli/main.js').catch(broken);
}

/**
 * Keeps what Node makes of the modules beside the packages, which halves the time of a start. Threads find it by the
 * variable. Where it cannot be written, all is compiled anew; NODE_DISABLE_COMPILE_CACHE=1 turns it off.
 */
function keepCompiled() {
  const modules = [join(root, 'node_modules'), join(root, '..')].find(holdsPackages);
  if (modules === undefined || process.env.NODE_COMPILE_CACHE || !module.enableCompileCache) return;
  const { directory } = module.enableCompileCache(join(modules, '.cache', 'gatecheck'));
  if (directory) process.env.NODE_COMPILE_CACHE = join(modules, '.cache', 'gatecheck');
}

function holdsPackages(folder) {
  return basename(folder) === 'node_modules' && existsSync(folder);
}

/** What main.js reports itself never comes here: this is an installation with parts missing. */
function broken(error) {
  const text = process.env.GATECHECK_DEBUG === '1' ? error.stack : error.message;
  process.stderr.write(`error: expected a whole installation of Gatecheck; got: ${text}\n`);
  process.exit(70);
}

/** The npm package `node` of a clone, or of the project that Gatecheck is installed in. */
function startWithOtherNode() {
  const other = [join(root, 'node_modules'), join(root, '..')].flatMap(nodesIn).find(runsNewEnough);
  if (other === undefined) return refuse();
  const child = spawn(other, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code === null ? 128 + signalNumber(signal) : code));
}

function nodesIn(modules) {
  return [join(modules, '.bin/node'), join(modules, 'node/bin/node.exe')];
}

function runsNewEnough(path) {
  if (!existsSync(path)) return false;
  const answer = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return answer.status === 0 && isNewEnough(answer.stdout.trim());
}

function isNewEnough(version) {
  const [major, minor] = version.replace('v', '').split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

function signalNumber(signal) {
  return { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] || 0;
}

function refuse() {
  process.stderr.write(
    `error: expected Node ${needed.join('.')} or newer; got ${process.version}. ` +
      'Install a newer one, or the npm package `node` beside Gatecheck.\n',
  );
  process.exit(2);
}
