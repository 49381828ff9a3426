import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandsIn } from '../../test/support/printedCommands.ts';
import { packageRoot } from '../catalogue/packageRoot.ts';
import { rowsOf } from '../settings/row.ts';
import { commands } from './commands.ts';

// Commands as the sources word them: whether they exist. test/printedCommands.test.ts runs those that a user gets to see.

/** Code without comments. */
function textsOf(path: string): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line)).join('\n');
}

const src = join(packageRoot(), 'src');
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => join(src, name));
const named = sources.flatMap((path) => commandsIn(textsOf(path)).map((args) => ({ path, args })));

test('every command that a text of Gatecheck names has the options that it is named with', () => {
  const wrong = named.flatMap(({ path, args: [name, ...args] }) => {
    const spec = commands.find((one) => one.name === name);
    const rows = spec === undefined ? [] : [...rowsOf(spec.options), ...(spec.settings ?? [])];
    const known = rows.map(({ flag }) => flag?.replace(/^--no-/, '--').split(' ')[0]);
    const flags = args.flatMap((arg) => /^--[a-z-]+/.exec(arg)?.[0] ?? []);
    return flags
      .filter((flag) => flag !== '--help' && !known.includes(flag.replace(/^--no-/, '--')))
      .map((flag) => `${path}: gatecheck ${name ?? ''} ${flag}`);
  });
  expect(wrong).toEqual([]);
  expect(named.length).toBeGreaterThan(80);
});
