import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Figures } from './figures.ts';
import type { Mix } from './payloads.ts';

type CandidateName = 'bare' | 'engine';

/** Which candidate makes how many exchanges of which kind; the figures are those after the warm-up. */
export interface Task {
  readonly name: CandidateName;
  readonly mix: Mix;
  readonly warmUp: number;
  readonly exchanges: number;
  /** Options of Node for its process. */
  readonly flags: readonly string[];
}

/** Starts the static server in a process of its own. */
export async function startServer(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const child = spawn(process.execPath, [script('server.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), stop: () => child.kill() };
}

/** Does a task in a process of its own, which is ended when it takes far too long. */
export async function measureInProcess(
  url: string,
  { name, mix, warmUp, exchanges, flags }: Task,
): Promise<Figures> {
  const child = spawn(
    process.execPath,
    [...flags, script('candidate.ts'), name, mix, url, String(warmUp), String(exchanges)],
    // An exchange that takes a millisecond is far from anything that is worth waiting for.
    { stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000 + warmUp + exchanges },
  );
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0) throw new Error(`the ${name} process ended with ${code ?? signal ?? 'nothing'}`);
  return JSON.parse(Buffer.concat(parts).toString()) as Figures;
}

function script(name: string): string {
  return join(import.meta.dirname, name);
}
