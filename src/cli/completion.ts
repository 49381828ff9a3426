import { nodeOf, type SchemaNode } from '../settings/annotations.ts';
import { rowsOf, schemaOf, type PlacedRow } from '../settings/row.ts';
import type { CommandSpec } from './command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** One option for completion. */
interface Offer {
  readonly option: string;
  readonly help: string;
  /** Its possible values; null for any, and for none at all if `takesValue` is false. */
  readonly choices: readonly string[] | null;
  readonly takesValue: boolean;
  readonly isPath: boolean;
}

/** The ids that an option such as `--defect` takes. */
export type KnownIds = Readonly<Partial<Record<string, readonly string[]>>>;

interface Offered {
  readonly name: string;
  readonly about: string;
  /** The possible words after the name; empty for a path or anything else. */
  readonly words: readonly string[];
  readonly offers: readonly Offer[];
}

/** The completion script of a shell, derived from the tables of all commands: names, options, and their values. */
export function renderCompletion(shell: Shell, commands: readonly CommandSpec[], ids: KnownIds = {}): string {
  const offered = commands.map(({ name, about, argument, options, settings = [] }) => ({
    name,
    about,
    words: argument?.[2] ?? [],
    offers: [...rowsOf(options), ...settings].flatMap((row) => offerOf(row, ids)),
  }));
  const lists = Object.entries(ids).map(([option, list = []]) =>
    renderList[shell](listName(option), list.join(' ')),
  );
  const [first = '', ...rest] = renderers[shell](offered).split('\n');
  return [first, ...lists, ...rest].join('\n');
}

const renderers: Readonly<Record<Shell, (commands: readonly Offered[]) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
};

/** Ids are written once, in a variable that completion expands. */
const renderList: Readonly<Record<Shell, (name: string, words: string) => string>> = {
  bash: (name, words) => `${name}='${words}'`,
  zsh: (name, words) => `${name}=(${words})`,
  fish: (name, words) => `set -g ${name} ${words}`,
};

function listName(option: string): string {
  return `_gatecheck_${option.replace(/\W+/g, '')}`;
}

function offerOf(row: PlacedRow, ids: KnownIds): readonly Offer[] {
  const [option, value] = row.flag?.split(' ') ?? [];
  if (option === undefined) return [];
  const node = nodeOf(schemaOf(row, { folder: '', env: {} }));
  const isPath = node.isPath === true || option === '--config';
  return [
    {
      option,
      help: row.help,
      choices: choicesOf(node) ?? (option in ids ? [`$${listName(option)}`] : null),
      takesValue: value !== undefined,
      isPath,
    },
  ];
}

function choicesOf(node: SchemaNode): readonly string[] | null {
  return (node.enum ?? node.items?.enum)?.map(String) ?? null;
}

function renderBash(commands: readonly Offered[]): string {
  const values = commands.flatMap(({ name, offers }) =>
    offers.map((offer) => bashValue(name, offer)).filter(Boolean),
  );
  const options = commands.map(
    ({ name, offers, words }) =>
      `    ${name}) options='${[...offers.map(({ option }) => option), '--help'].join(' ')}' words='${words.join(' ')}' ;;`,
  );
  return `# gatecheck completion bash; use it with: source <(gatecheck completion bash)
_gatecheck() {
  local command="\${COMP_WORDS[1]}" current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" options='' words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} help' -- "$current"))
    return
  fi
  case "$command $previous" in
${values.join('\n')}
  esac
  case "$command" in
${options.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else compopt -o default 2>/dev/null; fi ;;
  esac
}
complete -F _gatecheck gatecheck
_gatecheck_npx() {
  if [ "\${COMP_WORDS[1]}" != gatecheck ]; then compopt -o default 2>/dev/null; return; fi
  COMP_WORDS=("\${COMP_WORDS[@]:1}"); COMP_CWORD=$((COMP_CWORD - 1)); _gatecheck
}
complete -p npx >/dev/null 2>&1 || complete -F _gatecheck_npx npx
`;
}

function bashValue(name: string, { option, choices, takesValue, isPath }: Offer): string {
  if (!takesValue) return '';
  const reply =
    choices === null
      ? isPath
        ? 'compopt -o default 2>/dev/null'
        : ':'
      : `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current"))`;
  return `    '${name} ${option}') ${reply}; return ;;`;
}

function renderZsh(commands: readonly Offered[]): string {
  const names = commands.map(({ name, about }) => `    ${quote(`${name}:${zshText(about)}`)}`);
  const cases = commands.map(
    ({ name, offers, words }) =>
      `    ${name}) _arguments ${offers.map(zshOption).join(' ')} ${quote(`*:word:${words.length === 0 ? '_files' : `(${words.join(' ')})`}`)} ;;`,
  );
  return `#compdef gatecheck
# gatecheck completion zsh; put it into a folder of $fpath as _gatecheck, or: source <(gatecheck completion zsh)
_gatecheck() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _gatecheck ]; then _gatecheck "$@"; else compdef _gatecheck gatecheck; fi
`;
}

function zshOption({ option, help, choices, takesValue, isPath }: Offer): string {
  const text = `*${option}[${zshText(help)}]`;
  if (!takesValue) return quote(text);
  const action = choices === null ? (isPath ? '_files' : ' ') : `(${choices.join(' ')})`;
  return quote(`${text}:value:${action}`);
}

/** Escapes what has a meaning between the brackets of zsh's completion language. */
function zshText(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, '\\$&');
}

function renderFish(commands: readonly Offered[]): string {
  const names = commands.map(
    ({ name, about }) => `complete -c gatecheck -n __fish_use_subcommand -f -a ${name} -d ${quote(about)}`,
  );
  const options = commands.flatMap(({ name, offers, words }) => [
    ...words.map((word) => `complete -c gatecheck -n '__fish_seen_subcommand_from ${name}' -f -a ${word}`),
    ...offers.map((offer) => fishOption(name, offer)),
  ]);
  return `# gatecheck completion fish; use it with: gatecheck completion fish | source
${[...names, ...options].join('\n')}
`;
}

function fishOption(name: string, { option, help, choices, takesValue, isPath }: Offer): string {
  const words = choices === null ? '' : ` -a ${quote(choices.join(' '))}`;
  const value = takesValue ? (isPath ? ' -r -F' : ` -x${words}`) : '';
  return `complete -c gatecheck -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}${value} -d ${quote(help)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
