import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

/** Starts a parent that starts a child that watches, and then stands still or lives on; resolves once the parent is killed. */
async function orphan(after: string): Promise<number> {
  const file = new URL('./orphanWatch.ts', import.meta.url).href;
  const child = `const { watchForOrphan } = await import(${JSON.stringify(file)});
    watchForOrphan({ patience: 1500 }); console.log(process.pid); setTimeout(() => { ${after} }, 300);`;
  const parent = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { spawn } from 'node:child_process';
       spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(child)}], { stdio: ['ignore', 'inherit', 'inherit'] });
       setInterval(() => undefined, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  await new Promise((resolve) => setTimeout(resolve, 1000));
  parent.kill('SIGKILL');
  return Number(said.toString());
}

/** A process that ended and that nobody has asked for yet still has a number, as a zombie. */
async function livesAfter(pid: number, ms: number): Promise<boolean> {
  const { readFile } = await import('node:fs/promises');
  const state = async () =>
    /\) (\S)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))?.[1] ?? 'gone';
  const until = performance.now() + ms;
  while (performance.now() < until) {
    if (['gone', 'Z', 'X'].includes(await state())) return false;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return true;
}

test.runIf(process.platform === 'linux')(
  'a process that stands still ends once its launcher is gone',
  async () => expect(await livesAfter(await orphan('for (;;);'), 15_000)).toBe(false),
  40_000,
);

test.runIf(process.platform === 'linux')(
  'one that lives is left to end by itself',
  async () => {
    const pid = await orphan('setInterval(() => undefined, 100);');
    expect(await livesAfter(pid, 6_000)).toBe(true);
    process.kill(pid, 'SIGKILL');
  },
  40_000,
);
