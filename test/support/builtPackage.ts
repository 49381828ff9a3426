import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './docPages.ts';

const projects = ['tsconfig.build.json', 'src/sink/page', 'src/report/page'];
const mostMs = 200_000;

/**
 * The folder `dist` that `npm run build` makes, built once for all tests of a run. Types are checked by `npm run types`, and here only
 * written.
 */
export function builtDist(): string {
  const folder = join(tmpdir(), 'gatecheck-built');
  const [dist, done] = [join(folder, 'dist'), join(folder, 'done')];
  if (isFirst(folder)) {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    for (const project of projects)
      execFileSync(process.execPath, [tsc, '-p', project, '--noCheck', '--outDir', dist], { cwd: root });
    writeFileSync(done, '');
  }
  const until = Date.now() + mostMs;
  while (!existsSync(done)) {
    if (Date.now() > until) throw new Error(`expected a build in ${folder} by another test; got none`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  return dist;
}

function isFirst(folder: string): boolean {
  return mkdirSync(folder, { recursive: true }) !== undefined;
}
