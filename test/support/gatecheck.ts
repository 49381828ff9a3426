import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEnv } from './startEnv.ts';

/** Milliseconds that one command line may take, below the limit of a test, so that a hang fails with what it printed. */
const lifetimeMs = 110_000;
const main = join(import.meta.dirname, '../../src/cli/main.ts');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly folder: string;
  /** Milliseconds that the process lived. */
  readonly ms: number;
}

export interface Invocation {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where it runs; by default in a new folder with a config file. */
  readonly folder?: string;
  /** The config file, as JSON. */
  readonly config?: object;
  /** Sees the process once, as soon as it runs. */
  readonly meanwhile?: (child: ChildProcess) => void;
}

/** Runs one command line of Gatecheck in a folder of its own. */
export async function gatecheck(args: readonly string[], given: Invocation = {}): Promise<Ended> {
  const folder = given.folder ?? newFolder(given.config);
  const started = performance.now();
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { ...startEnv, NO_COLOR: '1', GATECHECK_STATE_DIR: 'reports', ...given.env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  given.meanwhile?.(child);
  const watch = setTimeout(() => {
    const where = whereItHangs(child);
    child.kill('SIGKILL');
    stderr += `\nThe test ended it after ${lifetimeMs} ms. ${where}\n`;
  }, lifetimeMs);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(watch);
  return { code, stdout, stderr, folder, ms: performance.now() - started };
}

function newFolder(config: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-cli-'));
  writeFileSync(join(folder, 'gatecheck.config.json'), JSON.stringify(config));
  return folder;
}

/** What the threads of a process do on Linux, for the message of a test whose process never ended. */
function whereItHangs(child: ChildProcess): string {
  const tasks = `/proc/${String(child.pid)}/task`;
  try {
    const threads = readdirSync(tasks).map((id) =>
      ['comm', 'wchan', 'syscall'].map((name) => readFileSync(`${tasks}/${id}/${name}`, 'utf8').trim()),
    );
    return `Its threads: ${threads.map((thread) => thread.join(' ')).join('; ')}.`;
  } catch (error) {
    return `Its threads cannot be read: ${String(error)}.`;
  }
}

/** The bytes of everything in a folder, by the path below it. */
export function filesIn(folder: string): ReadonlyMap<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path)];
    }),
  );
}
