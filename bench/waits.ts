import './ownTempFolder.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// `npm run bench:waits`: what a user waits for, as the table of docs/benchmarks.md has it, a row a case; with `--curve` also
// how soon a run finds the seeded defects, which takes minutes. Wall times mean something on a quiet machine only: the load
// before each case stands beside it.

const { curve } = parseArgs({ options: { curve: { type: 'boolean', default: false } } }).values;
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'gatecheck-waits-'));
const gatecheck = join(root, 'bin', 'gatecheck.js');

interface Case {
  readonly title: string;
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** What of the output tells more than the time. */
  readonly shown?: RegExp;
}

interface Measured {
  readonly seconds: number;
  /** Seconds of all processes; null where the system does not tell. */
  readonly cpu: number | null;
  readonly output: string;
}

const verdict = /\b(?:NOT |NON-)?CONFORMANT\b|\bPARTIAL\b|\d+ of \d+ musts judged|\d+ requests · [^\n]*/g;
const run = [process.execPath, gatecheck, 'run', '--report-dir', join(folder, 'report')];

try {
  const before = `${process.version}, load ${loadavg()[0]?.toFixed(1) ?? '?'}`;
  process.stdout.write(
    `| case (${before}) | wall | CPU | load | what it says |\n| --- | --- | --- | --- | --- |\n`,
  );
  const help = { title: '`npx gatecheck --help`', command: ['npx', 'gatecheck', '--help'] };
  // The first one fills the caches of Node and of the system.
  await measure(help);
  await tell(help);
  await tell({ title: '`npm start`', command: ['npm', 'start', '--', ...run.slice(3)], shown: verdict });
  await tellThreeKeys();
  const story = [...run, '--target', 'embedded', '--only', 'fla.callbacks.story'];
  await tell({ title: 'one story of flight notifications', command: story, shown: verdict });
  if (curve)
    await tell({
      title: 'defects found within 60 and 300 requests',
      command: [process.execPath, gatecheck, 'prove', '--curve', '--report-dir', join(folder, 'curve')],
      shown: /[^\n]*\b(60|300)\b[^\n]*%[^\n]*/g,
    });
} finally {
  rmSync(folder, { recursive: true });
}

/** A server of a process of its own, of which the run has three keys and the state handler. */
async function tellThreeKeys(): Promise<void> {
  const file = join(folder, 'variables');
  const server = spawn(
    process.execPath,
    [gatecheck, 'serve', '--port', '0', '--state-handler', '--env', file],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  try {
    await once(server.stdout, 'data');
    const given = variablesIn(readFileSync(file, 'utf8'));
    const three = given.GATECHECK_KEYS_PRIMARY?.split(',').slice(0, 3).join(',');
    const env = { ...given, GATECHECK_KEYS_PRIMARY: three, GATECHECK_STATE_DIR: join(folder, 'state') };
    await tell({ title: 'three keys and a state handler', command: run, env, shown: verdict });
  } finally {
    await stop(server);
  }
}

async function stop(server: ChildProcess): Promise<void> {
  const ended = once(server, 'close');
  server.kill();
  await ended;
}

/** What `export NAME='value'` says. */
function variablesIn(text: string): Record<string, string | undefined> {
  return Object.fromEntries(
    [...text.matchAll(/^export (\w+)='([^']*)'$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}

async function tell(one: Case): Promise<void> {
  const load = loadavg()[0] ?? Number.NaN;
  const { seconds, cpu, output } = await measure(one);
  const says = one.shown ? [...output.matchAll(one.shown)].map(([text]) => text.trim()).join('; ') : '';
  const cells = [
    one.title,
    `${seconds.toFixed(2)} s`,
    cpu === null ? '–' : `${cpu.toFixed(2)} s`,
    load.toFixed(1),
  ];
  process.stdout.write(`| ${cells.join(' | ')} | ${says} |\n`);
}

async function measure({ command: [file = '', ...args], env = {} }: Case): Promise<Measured> {
  const [start, cpu] = [performance.now(), cpuOfChildren()];
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, ...env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  await once(child, 'close');
  const after = cpuOfChildren();
  return {
    seconds: (performance.now() - start) / 1000,
    cpu: cpu === null || after === null ? null : after - cpu,
    output: Buffer.concat(parts).toString(),
  };
}

/** Seconds that processes took which have ended, as Linux counts them in hundredths. */
function cpuOfChildren(): number | null {
  try {
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(/\) /);
    const [user, system] = fields.split(' ').slice(13, 15).map(Number);
    return user === undefined || system === undefined ? null : (user + system) / 100;
  } catch {
    return null;
  }
}
