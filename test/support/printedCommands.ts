import { commands } from '../../src/cli/commands.ts';
import { rowsOf } from '../../src/settings/row.ts';

/** How a printed command begins, whatever Gatecheck was started by. */
const program = String.raw`(?:npx gatecheck|npm run gatecheck --|node \S*gatecheck\.js|gatecheck)`;
const names = commands.map(({ name }) => name).join('|');
const begins = new RegExp(`(?<![\\w./-])${program} (${names})(?![\\w-])`, 'g');

/** The arguments of every command that a text names, each once; prose after a command is no part of it. */
export function commandsIn(text: string): readonly (readonly string[])[] {
  const found = [...text.matchAll(begins)].map(({ 0: start, 1: name = '', index }) => [
    name,
    ...argumentsIn(name, text.slice(index + start.length).split(/[\n`]/, 1)[0] ?? ''),
  ]);
  return [...new Map(found.map((args) => [args.join(' '), args])).values()];
}

/** Words until prose: an option, the value of one, or what looks like a path, an address or an id. */
function argumentsIn(name: string, rest: string): readonly string[] {
  const words = [...rest.matchAll(/ ((?:'[^']*'|"[^"]*"|\\'|[^\s'"])+)/g)].map(([, word = '']) => word);
  const args: string[] = [];
  for (const word of words) {
    const last = /[^)][.,:;)]+$/.test(word);
    const plain = word.replace(/[.,:;)]+$/, '');
    const wantsValue = takesValue(name, args.at(-1));
    if (!wantsValue && !/^--?\w|^['"]|[\d/.*]|^[A-Z]{2,}/.test(plain)) break;
    args.push(plain.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2').replaceAll("\\'", "'"));
    if (last) break;
  }
  return args;
}

/** Whether the last word is an option that takes the next one. */
function takesValue(name: string, last: string | undefined): boolean {
  const spec = commands.find((one) => one.name === name);
  if (last?.startsWith('--') !== true || last.includes('=') || spec === undefined) return false;
  const rows = [...rowsOf(spec.options), ...(spec.settings ?? [])];
  return rows.some(({ flag }) => flag?.startsWith(`${last} <`) === true);
}
