import { randomInt } from 'node:crypto';
import { piecesOf, type RequestStep, type ScriptStep, type ScriptVariable } from './scriptSteps.ts';
import { headOf, type ScriptInput } from './scriptInput.ts';

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
