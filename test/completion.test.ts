import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatecheck } from './support/gatecheck.ts';

const scratch = () => mkdtempSync(join(tmpdir(), 'gatecheck-completion-'));

const words: readonly (readonly [line: string, offered: string])[] = [
  ['gatecheck re', 'requirements replay report'],
  ['gatecheck run --min', '--min-must'],
  ['gatecheck run --profile s', 'smoke standard'],
  ['gatecheck completion ', 'bash zsh fish'],
  ['gatecheck serve --defect total-pages-r', 'total-pages-rounded-down'],
  ['gatecheck run --only WCI-LST-029', 'WCI-LST-029'],
];

test.each(words)('bash completes %j', async (line, offered) => {
  const { stdout } = await gatecheck(['completion', 'bash']);
  const asked = line.split(' ').map((word) => `'${word}'`);
  const ask = `COMP_WORDS=(${asked.join(' ')}); COMP_CWORD=${asked.length - 1}; _gatecheck; echo "\${COMPREPLY[@]}"`;
  const { stdout: reply, stderr } = spawnSync('bash', ['-c', `${stdout}\n${ask}`], { encoding: 'utf8' });
  expect({ reply: reply.trim(), stderr }).toEqual({ reply: offered, stderr: '' });
});

test.skipIf(!isThere('fish')).each(words)(`fish completes %j${reason('fish')}`, async (line, offered) => {
  const { stdout } = await gatecheck(['completion', 'fish']);
  const asked = `${stdout}\ncomplete -C '${line}'`;
  const { stdout: reply, stderr } = spawnSync('fish', ['--no-config', '-c', asked], { encoding: 'utf8' });
  const found = reply
    .trim()
    .split('\n')
    .map((row) => row.split('\t', 1)[0] ?? '');
  expect({ found: found.toSorted(), stderr }).toEqual({ found: offered.split(' ').toSorted(), stderr: '' });
});

test.skipIf(!isThere('zsh'))(`zsh reads its completion${reason('zsh')}`, async () => {
  const { stdout } = await gatecheck(['completion', 'zsh']);
  const script = `autoload -Uz compinit; compinit -u -d ${join(scratch(), 'dump')}; ${stdout}\nprint $_comps[gatecheck]`;
  const read = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8' });
  expect({ stdout: read.stdout, stderr: read.stderr }).toEqual({ stdout: '_gatecheck\n', stderr: '' });
});

test.skipIf(!isThere('zsh')).each([
  ['gatecheck req', 'gatecheck requirements'],
  ['gatecheck run --min', 'gatecheck run --min-must'],
  ['gatecheck run --profile sm', 'gatecheck run --profile smoke'],
  ['gatecheck completion z', 'gatecheck completion zsh'],
  ['gatecheck serve --defect total-pages-r', 'gatecheck serve --defect total-pages-rounded-down'],
])(`zsh completes %j${reason('zsh')}`, async (typed, line) => {
  const { stdout } = await gatecheck(['completion', 'zsh']);
  const file = join(scratch(), '_gatecheck');
  writeFileSync(file, stdout);
  const script = join(import.meta.dirname, 'support/complete.zsh');
  const env = { PATH: process.env.PATH, HOME: scratch(), TERM: 'vt100' };
  const read = spawnSync('zsh', ['-f', script, file, typed], { encoding: 'utf8', timeout: 20_000, env });
  expect({ stdout: read.stdout.trim(), stderr: read.stderr }).toEqual({ stdout: line, stderr: '' });
});

/** Stands in the title of a test that is skipped. */
function reason(program: string): string {
  return isThere(program) ? '' : ` (skipped: there is no ${program} here)`;
}

function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}
