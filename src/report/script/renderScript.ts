import { randomInt } from 'node:crypto';
import type { Finding } from '../../engine/finding.ts';
import type { EvidenceById } from '../evidence/loadEvidence.ts';
import { oneLine, shorten } from '../text/printable.ts';
import {
  piecesOf,
  scriptSteps,
  scriptVariables,
  type ScriptStep,
  type ScriptVariable,
} from './scriptSteps.ts';

/** What a script is made of. */
export interface ScriptInput {
  readonly finding: Finding;
  readonly title: string;
  readonly evidence: EvidenceById;
  readonly baseUrl: string;
}

/** The sequence of a finding as a script for a POSIX shell: keys from the environment, ids of answers by variables. */
export function renderShellScript(input: ScriptInput): string {
  const { finding, evidence, baseUrl } = input;
  const steps = scriptSteps(finding, evidence);
  const variables = scriptVariables(finding, evidence);
  const keys = new Set(steps.flatMap(({ keyVariable }) => keyVariable ?? []));
  return `${[
    '#!/bin/sh',
    ...headOf(input).map((line) => `# ${line}`),
    'set -eu',
    `BASE=\${BASE:-${quote(baseUrl)}}`,
    ...[...keys].map((name) => `: "\${${name}:?set it to a key of that enterprise}"`),
    `fresh() { LC_ALL=C tr -dc "$1" </dev/urandom 2>/dev/null | head -c "$2"; }`,
    String.raw`member() { tr ',{' '\n\n' <"$answer" | sed -n 's/^[[:space:]]*"'"$1"'"[[:space:]]*:[[:space:]]*"\{0,1\}\([^"}]*\).*/\1/p' | head -n 1; }`,
    ...variables.flatMap(shellVariable),
    'answer=$(mktemp)',
    `trap 'rm -f "$answer"' EXIT`,
    ...steps.flatMap((step, index) => shellStep(step, index, variables)),
  ].join('\n')}\n`;
}

/** What is known before the first step. */
function shellVariable({ name, value, from }: ScriptVariable): readonly string[] {
  if (from === 'pnr') return [`${name}=$(fresh A-Z0-9 6)`];
  if (from === 'text') return [`${name}=$(fresh a-z0-9 20)`];
  return from === 'run'
    ? [`${name}=\${${name}:-${quote(value)}} # as in the run; set it to a record of yours`]
    : [];
}

function headOf({ finding, title }: ScriptInput): readonly string[] {
  return [
    `${finding.requirement}: ${title}`,
    `Expected ${finding.expected}; got ${finding.actual}.`,
    'Dates and flights are those of the run. Written by gatecheck replay --script.',
  ].map((text) => oneLine(shorten(text, 500)));
}

function shellStep(step: ScriptStep, index: number, variables: readonly ScriptVariable[]): readonly string[] {
  const word = (text: string) =>
    piecesOf(text, variables)
      .map((piece) => (typeof piece === 'string' ? quote(piece) : `"$${piece.name}"`))
      .join('') || "''";
  const body =
    step.body === null ? [] : step.isBinary ? ['--data-binary @-'] : [`--data-raw ${word(step.body)}`];
  const before = step.isBinary ? `printf %s ${step.body ?? ''} | base64 -d | ` : '';
  const headers = step.headers.map(
    ([name, value]) => `-H ${word(value === '' ? `${name};` : `${name}: ${value}`)}`,
  );
  const key = step.keyVariable === null ? [] : [`-H "X-API-Key: \${${step.keyVariable}%%,*}"`];
  const call = [
    `${before}curl -sS -g --path-as-is -X ${quote(step.method)} "$BASE"${word(step.target)}`,
    ...key,
    ...headers,
    ...body,
    `-o "$answer" -w 'HTTP %{http_code}\\n'`,
  ];
  return [
    '',
    `echo ${quote(oneLine(shorten(`${index + 1}. ${step.method} ${step.target.split('?')[0] ?? ''} (in the run: ${step.then})`, 300)))}`,
    call.join(' '),
    'cat "$answer"; echo',
    ...variables.flatMap(({ name, from }) =>
      typeof from === 'object' && from.step === index ? [`${name}=$(member ${from.member})`] : [],
    ),
  ];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same as a file for the HTTP clients of editors, with values made up now. */
export function renderHttpFile(input: ScriptInput): string {
  const { finding, evidence, baseUrl } = input;
  const steps = scriptSteps(finding, evidence);
  const variables = scriptVariables(finding, evidence);
  const keys = new Set(steps.flatMap(({ keyVariable }) => keyVariable ?? []));
  const isMade = ({ from }: ScriptVariable) => typeof from !== 'object';
  return `${[
    ...headOf(input).map((line) => `# ${line}`),
    '# Each key variable holds one key here.',
    `@base = ${baseUrl}`,
    ...[...keys].map((name) => `@${name} = {{$processEnv ${name}}}`),
    ...variables
      .filter(isMade)
      .map(
        ({ name, value, from }) => `@${name} = ${from === 'run' ? value : madeUp(from === 'pnr' ? 6 : 20)}`,
      ),
    ...steps.flatMap((step, index) => httpStep(step, index, variables)),
  ].join('\n')}\n`;
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

function madeUp(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)] ?? 'X').join('');
}

function httpStep(step: ScriptStep, index: number, variables: readonly ScriptVariable[]): readonly string[] {
  const filled = (text: string) =>
    piecesOf(text, variables)
      .map((piece) => {
        if (typeof piece === 'string') return piece;
        const { from, name } = piece;
        return typeof from === 'object'
          ? `{{step${from.step + 1}.response.body.$..${from.member}}}`
          : `{{${name}}}`;
      })
      .join('');
  return [
    '',
    `### ${index + 1}. in the run: ${step.then}`,
    `# @name step${index + 1}`,
    `${step.method} {{base}}${filled(step.target)}`,
    ...(step.keyVariable === null ? [] : [`X-API-Key: {{${step.keyVariable}}}`]),
    ...step.headers.map(([name, value]) => `${name}: ${filled(value)}`),
    ...(step.body === null
      ? []
      : ['', step.isBinary ? '# a body of bytes that are no text: use the shell script' : filled(step.body)]),
  ];
}
