import { randomInt } from 'node:crypto';
import {
  type RequestStep,
  type ScriptKey,
  type ScriptStep,
  type ScriptVariable,
  piecesOf,
} from './scriptSteps.ts';
import { headOf, type ScriptInput } from './scriptInput.ts';
import { oneLine, shorten } from '../text/printable.ts';

/**
 * The sequence of a finding as a script for a POSIX shell: keys come from the environment, ids from answers through variables.
 * It exits with 1 if the rule is still broken, 0 if not, and 3 if an earlier step was not possible.
 */
export function renderShellScript(input: ScriptInput): string {
  const { steps, variables, keys, baseUrl } = input;
  return `${[
    '#!/bin/sh',
    ...headOf(input).map((line) => `# ${line}`),
    '# Exit code: 1 if it shows again, 0 if not, 3 if that cannot be determined.',
    'set -u',
    `BASE=\${BASE:-${quote(baseUrl)}}`,
    ...functions,
    ...keysOf(input),
    ...keys.map(keyLine),
    ...variables.flatMap(shellVariable),
    ...steps.flatMap((step, index) => shellStep(step, index, variables)),
    ...verdictOf(input),
  ].join('\n')}\n`;
}

const functions = [
  'answer=$(mktemp) && heads=$(mktemp) || exit 3',
  `trap 'rm -f "$answer" "$heads"' EXIT`,
  `stop() { echo "Cannot be determined: $1" >&2; exit 3; }`,
  `fresh() { LC_ALL=C tr -dc "$1" </dev/urandom 2>/dev/null | head -c "$2"; }`,
  String.raw`member() { tr ',{' '\n\n' <"$answer" | sed -n 's/^[[:space:]]*"'"$1"'"[[:space:]]*:[[:space:]]*"\{0,1\}\([^"}]*\).*/\1/p' | head -n 1; }`,
  String.raw`key() { one=$(printf %s "$1" | cut -d, -f "$2"); printf %s "${'$'}{one:-${'$'}{1%%,*}}"; }`,
  String.raw`body() { tr -d '\r\n' <"$answer" | sed 's/"[ 	]*:[ 	]*/":/g; s/,[ 	]\{1,\}"/,"/g'; }`,
  'state() {',
  '  [ -n "${GATECHECK_STATE_HANDLER:-}" ] || stop "the state $1 is needed: set GATECHECK_STATE_HANDLER to the address of the state handler"',
  '  echo "state $1"',
  `  code=$(curl -sS --max-time 60 -H 'Content-Type: application/json' \${GATECHECK_STATE_HANDLER_AUTH:+-H "$GATECHECK_STATE_HANDLER_AUTH"} --data-raw "{\\"state\\":\\"$1\\",\\"params\\":$2}" -o "$answer" -w '%{http_code}' "$GATECHECK_STATE_HANDLER") || stop "the state handler did not answer"`,
  '  [ "$code" = 200 ] || stop "the state handler answered HTTP $code to $1"',
  '}',
];

/** New enterprises if the state handler makes them, else the keys of the environment. */
function keysOf({ keys, makesEnterprises }: ScriptInput): readonly string[] {
  return [...new Set(keys.map(({ from }) => from))].flatMap((from) => {
    const needed = `: "\${${from}:?set it to a key of that enterprise}"`;
    if (!from.startsWith('GATECHECK_KEYS_') || !makesEnterprises) return [needed];
    const count = keys.filter((one) => one.from === from).length;
    return [
      'if [ -n "${GATECHECK_STATE_HANDLER:-}" ]; then',
      `  state enterprise.create '{"included_units":1000,"keys":${count}}'`,
      String.raw`  ${from}=$(tr -d ' \n\r"' <"$answer" | sed 's/.*keys:\[\([^]]*\)\].*/\1/')`,
      'fi',
      needed,
    ];
  });
}

function keyLine({ name, from, number }: ScriptKey): string {
  return `${name}=$(key "$${from}" ${number})`;
}

/** What is known before the first step. */
function shellVariable({ name, value, from }: ScriptVariable): readonly string[] {
  if (from === 'pnr') return [`${name}=$(fresh A-Z0-9 6)`];
  if (from === 'text') return [`${name}=$(fresh a-z0-9 20)`];
  return from === 'run'
    ? [`${name}=\${${name}:-${quote(value)}} # as in the run; set it to a record of yours`]
    : [];
}

function shellStep(step: ScriptStep, index: number, variables: readonly ScriptVariable[]): readonly string[] {
  if (step.kind === 'state') return ['', `state ${step.state} ${shellWord(step.params, variables)}`];
  return [
    '',
    `echo ${quote(oneLine(shorten(`${index + 1}. ${step.method} ${step.target.split('?')[0] ?? ''} (in the run: ${step.then})`, 300)))}`,
    curlOf(step, variables),
    `echo "   HTTP $code"; head -c 2000 "$answer"; echo`,
    ...variables.flatMap(({ name, from }) =>
      typeof from === 'object' && from.step === index
        ? [
            `${name}=$(member ${from.member}); [ -n "$${name}" ] || stop "step ${index + 1} gave no ${from.member}"`,
          ]
        : [],
    ),
  ];
}

function curlOf(step: RequestStep, variables: readonly ScriptVariable[]): string {
  const word = (text: string) => shellWord(text, variables);
  const typed = step.headers.some(([name]) => name.toLowerCase() === 'content-type');
  const key = variables.find(({ from, value }) => from === 'key' && value === `‹key ${step.key ?? ''}›`);
  return [
    `code=$(${step.isBinary ? `printf %s ${step.body ?? ''} | base64 -d | ` : ''}curl -sS -g --path-as-is --max-time 60`,
    ...(step.method === 'HEAD' ? ['--head'] : [`-X ${quote(step.method)}`]),
    `"$BASE"${word(step.target)}`,
    ...(key === undefined ? [] : [`-H "X-API-Key: $${key.name}"`]),
    ...step.headers.map(([name, value]) => `-H ${word(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // Without this, curl would label the body as a form.
    ...(step.body !== null && !typed ? [`-H 'Content-Type:'`] : []),
    ...(step.body === null ? [] : step.isBinary ? ['--data-binary @-'] : [`--data-raw ${word(step.body)}`]),
    `-D "$heads" -o "$answer" -w '%{http_code}') || stop "no answer"`,
  ].join(' ');
}

function verdictOf({ finding, sign }: ScriptInput): readonly string[] {
  const pattern = sign.body?.pattern
    .map((piece) => (typeof piece === 'string' ? quote(piece) : `"$${piece.name}"`))
    .join('');
  const tests = [
    ...(sign.status === null ? [] : [`[ "$code" = ${sign.status} ]`]),
    ...(sign.body === null ? [] : [`${sign.body.absent ? '! ' : ''}body | grep -Eq -- ${pattern ?? "''"}`]),
    ...(sign.header === null
      ? []
      : [
          `${sign.header.absent ? '! ' : ''}tr -d '\\r' <"$heads" | grep -Eiq -- ${quote(sign.header.pattern)}`,
        ]),
  ];
  const said = (text: string) => quote(oneLine(shorten(text, 500)));
  return [
    '',
    `echo ${said(`expected: ${finding.expected}`)}`,
    `echo ${said(`in the run: ${finding.actual}`)}`,
    `if ${tests.join(' && ')}; then`,
    `  echo ${said(`It shows again: ${sign.words}.`)}`,
    '  exit 1',
    'fi',
    `echo "It does not show again: HTTP $code."`,
    'exit 0',
  ];
}

function shellWord(text: string, variables: readonly ScriptVariable[]): string {
  return (
    piecesOf(text, variables)
      .map((piece) => (typeof piece === 'string' ? quote(piece) : `"$${piece.name}"`))
      .join('') || "''"
  );
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The sequence of a finding as a file for the HTTP clients of editors, with new made-up values. */
export function renderHttpFile(input: ScriptInput): string {
  const { steps, variables, keys, baseUrl } = input;
  const hasStates = steps.some(({ kind }) => kind === 'state');
  return `${[
    ...headOf({ ...input, makesEnterprises: false }).map((line) => `# ${line}`),
    '# Each variable of the environment that names a key holds one key here.',
    `@base = ${baseUrl}`,
    ...(hasStates ? ['@states = {{$processEnv GATECHECK_STATE_HANDLER}}'] : []),
    ...keys.map(({ name, from }) => `@${name} = {{$processEnv ${from}}}`),
    ...variables.flatMap(httpVariable),
    ...steps.flatMap((step, index) => httpStep(step, index, input)),
  ].join('\n')}\n`;
}

function httpVariable({ name, value, from }: ScriptVariable): readonly string[] {
  if (from === 'run')
    return [`# ${name}: a record of the run; set it to the id of one of yours`, `@${name} = ${value}`];
  if (from === 'pnr') return [`@${name} = ${madeUp(6)}`];
  return from === 'text' ? [`@${name} = ${madeUp(20)}`] : [];
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

function madeUp(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)] ?? 'X').join('');
}

function httpStep(step: ScriptStep, index: number, { variables, finding }: ScriptInput): readonly string[] {
  const filled = (text: string) => filledIn(text, variables);
  if (step.kind === 'state')
    return [
      ...[
        '',
        `### ${index + 1}. the state ${step.state}`,
        'POST {{states}}',
        'Content-Type: application/json',
      ],
      ...['', `{"state":"${step.state}","params":${filled(step.params)}}`],
    ];
  const key = variables.find(({ from, value }) => from === 'key' && value === `‹key ${step.key ?? ''}›`);
  return [
    '',
    `### ${index + 1}. in the run: ${step.then}${step.line.id === finding.decisive ? ' ← breaks the rule' : ''}`,
    `# @name step${index + 1}`,
    `${step.method} {{base}}${filled(step.target)}`,
    ...(key === undefined ? [] : [`X-API-Key: {{${key.name}}}`]),
    ...step.headers.map(([name, value]) => `${name}: ${filled(value)}`),
    ...bodyOf(step, filled),
  ];
}

function bodyOf(step: RequestStep, filled: (text: string) => string): readonly string[] {
  if (step.body === null) return [];
  return [
    '',
    step.isBinary ? '# a body of bytes that are not text: use the shell script' : filled(step.body),
  ];
}

function filledIn(text: string, variables: readonly ScriptVariable[]): string {
  return piecesOf(text, variables)
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const { from, name } = piece;
      return typeof from === 'object'
        ? `{{step${from.step + 1}.response.body.$..${from.member}}}`
        : `{{${name}}}`;
    })
    .join('');
}
