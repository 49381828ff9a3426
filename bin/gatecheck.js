#!/usr/bin/env node
// Starts Gatecheck with a Node that is new enough. Plain and old JavaScript, since an old Node has to read it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const needed = [22, 19];
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What sends to a deployment has somebody who tells how it ended, should it die: out of memory, or killed. */
const watched = ['run', 'limits', 'load'];

if (isBareClone()) refuseBareClone();
else if (!isNewEnough(process.version)) startWithOtherNode();
else if (watched.includes(process.argv[2]) && existsSync(entry('launched')))
  watch(process.execPath, process.execArgv);
else start();

/** The sources where they are, which Node runs without a build that may be older; an installed package holds the build only. */
function entry(name) {
  const sources = existsSync(join(root, 'src/cli/main.ts'));
  return join(root, sources ? `src/cli/${name}.ts` : `dist/src/cli/${name}.js`);
}

function start() {
  keepCompiled();
  import(pathToFileURL(entry('main')).href).catch(broken);
}

/** A clone whose packages are not installed yet; `npx` links it and installs nothing. */
function isBareClone() {
  return (
    existsSync(join(root, 'src/cli/main.ts')) &&
    existsSync(join(root, 'package-lock.json')) &&
    !existsSync(join(root, 'node_modules'))
  );
}

function refuseBareClone() {
  process.stderr.write(
    `error: expected the packages of this clone; got none. Install them once: cd '${root.replace(/[\\/]$/, '')}' && npm ci\n`,
  );
  process.exit(2);
}

/** Runs it as a child that ends with this process, and makes the reports of a child that died. */
function watch(node, nodeArgs) {
  keepCompiled();
  const file = entry(existsSync(entry('launched')) ? 'launched' : 'main');
  const child = spawn(node, [...nodeArgs, file, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  let reportDir;
  let asked = false;
  child.on('message', (message) => (reportDir = message.reportDir));
  child.on('error', broken);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      asked = true;
      child.kill(signal);
      endSoon(child);
    });
  child.on('exit', (code, signal) => {
    if (known.includes(code)) process.exit(code);
    if (asked && reportDir === undefined && ['SIGINT', 'SIGTERM', 'SIGHUP'].includes(signal))
      process.exit(130);
    const cause = child.tooLate ? 'it did not end when it was asked to' : causeOf(code, signal);
    process.stderr.write(`error: Gatecheck itself failed: ${cause}.\n`);
    if (reportDir !== undefined)
      spawnSync(node, [entry('recover'), reportDir, cause], {
        stdio: ['ignore', 'inherit', 'inherit'],
        timeout: mostMs,
        killSignal: 'SIGKILL',
      });
    process.exit(70);
  });
}

/** After the first signal a child has more than the two minutes that it gives itself; after another one it has to end at once. */
const mostMs = 130_000;
const leastMs = 3_000;
/** One Ctrl-C may come twice, from the terminal and from npx. */
const echoMs = 250;

/** A child that is stopped, or busy for ever, hears no signal. */
function endSoon(child) {
  child.askedAt = child.askedAt || Date.now();
  const again = Date.now() - child.askedAt > echoMs;
  setTimeout(
    () => {
      child.tooLate = true;
      child.kill('SIGKILL');
    },
    again ? leastMs : mostMs,
  ).unref();
}

/** The exit codes that it chooses itself. */
const known = [0, 1, 2, 3, 70, 130];

function causeOf(code, signal) {
  if (signal === 'SIGABRT' || code === 134)
    return 'it ran out of memory, or Node gave up (SIGABRT); NODE_OPTIONS=--max-old-space-size=8192 grants it more';
  if (signal === 'SIGKILL') return 'it was killed (SIGKILL), as the system does where memory runs out';
  return signal === null ? `it ended with exit code ${code}` : `it was killed by ${signal}`;
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
  watch(other, []);
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

function refuse() {
  process.stderr.write(
    `error: expected Node ${needed.join('.')} or newer; got ${process.version}. ` +
      'Install a newer one, or the npm package `node` beside Gatecheck.\n',
  );
  process.exit(2);
}
