import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { resultSchema, type RunResult } from '../../src/index.ts';
import type { SendingLine } from '../../src/send/journalLine.ts';
import { startEnv } from './startEnv.ts';
import {
  limits,
  openWatchedDeployment,
  type Made,
  type WatchedDeployment,
  type Watching,
} from './watchedDeployment.ts';

const launcher = join(import.meta.dirname, '../../bin/gatecheck.js');

/** When a run is killed: so long after so many requests have come, or after its start. */
export interface Moment {
  readonly requests: number;
  readonly ms: number;
}

/** What a run came to that was killed and gone on with. */
export interface KilledAndResumed {
  /** Whether it was killed before it had written down what run it is, or after all its reports were. */
  readonly when: 'before' | 'within' | 'after';
  readonly sentBefore: number;
  readonly end: string;
  readonly verdicts: readonly string[];
  /** Records and subscriptions that both parts of the run left behind. */
  readonly made: number;
  /** What the deployment holds and the report does not. */
  readonly lost: readonly string[];
}

/** The verdict of each requirement, one a line. */
export function verdictsOf({ requirements }: RunResult): readonly string[] {
  return requirements.map(({ id, verdict }) => `${id} ${verdict}`);
}

/** Runs the program against a deployment of its own, in a folder of its own that is removed afterwards. */
export async function withProgram<T>(
  options: Watching & { readonly selection: readonly string[] },
  use: (program: Program) => Promise<T>,
): Promise<T> {
  const target = await openWatchedDeployment(options);
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-killed-'));
  const program = new Program(target, folder, options.selection);
  try {
    return await use(program);
  } finally {
    await program.close();
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The command line, started as users start it. */
class Program {
  readonly target: WatchedDeployment;
  readonly out: string;
  readonly #folder: string;
  readonly #selection: readonly string[];
  readonly #children = new Set<ChildProcess>();

  constructor(target: WatchedDeployment, folder: string, selection: readonly string[]) {
    this.target = target;
    this.out = join(folder, 'out');
    this.#folder = folder;
    this.#selection = selection;
    writeFileSync(join(folder, 'gatecheck.config.json'), JSON.stringify({ limits }));
  }

  start(...more: readonly string[]): ChildProcess {
    const budget = ['--max-quota', '60', '--seed', '5'];
    return this.#spawn([...budget, ...this.#selection, ...more]);
  }

  /** With nothing of the run before but its target. */
  bare(...more: readonly string[]): Promise<number | null> {
    return endOf(this.#spawn(more));
  }

  #spawn(more: readonly string[]): ChildProcess {
    const args = ['run', '--target', this.target.url, ...more];
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...startEnv, NO_COLOR: '1', GATECHECK_KEYS_PRIMARY: this.target.key },
    });
    for (const stream of [child.stdout, child.stderr]) stream.resume();
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    return child;
  }

  /** The whole run, undisturbed. */
  async whole(...more: readonly string[]): Promise<number | null> {
    return endOf(this.start(...more));
  }

  result(dir = this.out): RunResult | null {
    const file = join(dir, 'result.json');
    return existsSync(file) ? resultSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
  }

  /** The result, which must be there. */
  expected(dir = this.out): RunResult {
    const result = this.result(dir);
    if (result === null) throw new Error(`expected a result in ${dir}; got none`);
    return result;
  }

  /** Kills the program, below its launcher or with it, at a moment; resolves once nothing of it is left. */
  async killedAt(
    { requests, ms }: Moment,
    withLauncher: boolean,
  ): Promise<{ code: number | null; text: string }> {
    const child = this.start('--report-dir', 'out');
    const ended = endOf(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const isOver = () => child.exitCode !== null || child.signalCode !== null;
    while (this.target.requests() < requests && !isOver()) await sleep(2);
    await sleep(ms);
    const program = programOf(child);
    if (withLauncher) child.kill('SIGKILL');
    if (program !== null) killed(program);
    return { code: await ended, text };
  }

  /** What a kill and `--resume` come to. */
  async killedAndResumed(moment: Moment, withLauncher: boolean): Promise<KilledAndResumed> {
    await this.killedAt(moment, withLauncher);
    const sentBefore = this.target.requests();
    const journal = join(this.out, 'evidence.ndjson');
    const hasBegun = existsSync(journal) && readFileSync(journal, 'utf8').includes('\n');
    const end = this.result()?.run.end;
    await this.whole(...(hasBegun ? ['--resume', 'out'] : ['--report-dir', 'out']));
    const result = this.result();
    return {
      when: !hasBegun ? 'before' : end === 'completed' ? 'after' : 'within',
      sentBefore,
      end: result?.run.end ?? 'no result',
      verdicts: result === null ? [] : verdictsOf(result),
      made: this.target.made.length,
      lost: result === null ? ['the result'] : this.lost(result),
    };
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#children].map((child) => {
        child.kill('SIGKILL');
        return endOf(child);
      }),
    );
  }

  /** What stands at the deployment, and in no side effect of the report: neither by its id nor as what was sent without an answer. */
  lost({ sideEffects }: RunResult): readonly string[] {
    const lines = readFileSync(join(this.out, 'evidence.ndjson'), 'utf8').split('\n');
    const possible = new Set(
      sideEffects.filter(({ certainty }) => certainty === 'possible').map(({ exchange }) => exchange),
    );
    const inDoubt = lines.flatMap((text) => {
      const line = parse(text);
      const body = line?.type === 'sending' && possible.has(line.id) ? line.request.body : null;
      return body !== null && 'text' in body ? [withoutCallback(body.text)] : [];
    });
    const named = sideEffects.map(({ id }) => (id ?? '').replaceAll('-', ''));
    const isNoted = ({ id, sent }: Made) =>
      named.some((one) => one.endsWith(id.replaceAll('-', ''))) || inDoubt.includes(withoutCallback(sent));
    const units = sideEffects.filter(({ kind }) => kind === 'quota').length;
    const missing = this.target.units() - units;
    return [
      ...this.target.made.filter((one) => !isNoted(one)).map(({ kind, id }) => `${kind} ${id}`),
      ...(missing > 0 ? [`${missing} units`] : []),
    ];
  }
}

/** A body without what stands redacted in the journal. */
function withoutCallback(text: string): string {
  try {
    const { callbackData: _redacted, ...rest } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return JSON.stringify(rest);
  } catch {
    return text;
  }
}

function parse(text: string): SendingLine | null {
  try {
    return JSON.parse(text) as SendingLine;
  } catch {
    return null;
  }
}

export function endOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('close', resolve));
}

/** The program itself, below its launcher; null where it does not run. */
export function programOf({ pid = 0 }: ChildProcess): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]) || null;
  } catch {
    return null;
  }
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return;
  }
}
