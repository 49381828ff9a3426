import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DriverFigures } from './driver.ts';
import type { ServerFigures } from './server.ts';

interface SinkTask {
  readonly name: 'bare' | 'sink';
  readonly connections: number;
  readonly warmUp: number;
  readonly count: number;
  /** Options of Node for the process of the server. */
  readonly flags: readonly string[];
}

export interface SinkFigures extends ServerFigures {
  /** Callbacks a second, after the warm-up. */
  readonly perSecond: number;
}

/** Sends callbacks to a fresh server, and makes sure that all that was acknowledged was kept. */
export async function measureSink({
  name,
  connections,
  warmUp,
  count,
  flags,
}: SinkTask): Promise<SinkFigures> {
  const server = fork(join(import.meta.dirname, 'server.ts'), [name], { execArgv: [...flags] });
  try {
    const [url] = (await once(server, 'message')) as [string];
    if (warmUp > 0) await drive(url, connections, warmUp);
    server.send('start');
    const { acknowledged, ms } = await drive(url, connections, count);
    server.send('end');
    const [figures] = (await once(server, 'message')) as [ServerFigures];
    if (acknowledged !== count || figures.kept !== warmUp + count) {
      throw new Error(
        `sent ${count} after ${warmUp}, ${acknowledged} acknowledged, ${figures.kept} kept in all`,
      );
    }
    return { ...figures, perSecond: (count / ms) * 1000 };
  } finally {
    server.kill();
  }
}

async function drive(url: string, connections: number, count: number): Promise<DriverFigures> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'driver.ts'), url, String(connections), String(count)],
    { stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000 + count },
  );
  const text = await textOf(child);
  return JSON.parse(text) as DriverFigures;
}

async function textOf(child: ChildProcess): Promise<string> {
  const parts: Buffer[] = [];
  child.stdout?.on('data', (part: Buffer) => parts.push(part));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the driver ended with ${code ?? 'a signal'}`);
  return Buffer.concat(parts).toString();
}
