import { echoes } from './bodyRows.ts';
import { groups } from './row.ts';
import type { Kills, Line, Measured, Networks, Servers, Tried } from './parts.ts';

/** docs/robustness.md, of what was measured. */
export function renderPage(measured: Partial<Measured>): string {
  const { servers, networks, fuzzed, kills } = measured;
  const figures = [
    ...(servers ? serverFigures(servers) : []),
    ...(fuzzed ? [['runs with fuzzed answers survived', share(fuzzed)] as const] : []),
    ...(networks ? [['false fails over bad networks', falseFailsOf(networks)] as const] : []),
    ...(kills ? killFigures(kills) : []),
  ];
  return `# What Gatecheck survives

Made by \`npm run hostile\`; do not edit. A fixed sample of it is part of \`npm test\`.

${renderDays(measured)}

${renderFaults(measured)}

| figure | |
|---|---|
${figures.map(([what, figure]) => `| ${what} | ${figure} |`).join('\n')}

## Bad networks

${networks ? renderNetworks(networks) : missing('networks')}

## Fuzzed answers

A smoke run against the reference, in virtual time, where every second answer has one member, anywhere in it, replaced: by another type, an extreme number or date, a text of up to 200,000
characters, markup, a name such as \`__proto__\`, a list of 10,000, 2,000 levels of nesting. A run must end within its budget, without a fault of Gatecheck.

${fuzzed ? `Survived: ${share(fuzzed)}.` : missing('fuzzed')}

## Kills

${kills ? renderKills(kills) : missing('kills')}

## Hostile servers

${servers ? renderServers(servers) : missing('servers')}
`;
}

const partNames: Readonly<Record<keyof Measured, string>> = {
  servers: 'hostile servers',
  networks: 'bad networks',
  fuzzed: 'fuzzed answers',
  kills: 'kills',
};
const partsOfPage = Object.keys(partNames) as (keyof Measured)[];

/** More than one part takes by itself: the times of a row say less then. */
const muchWork = 4;

/** The parts may be measured on different days. */
function renderDays(measured: Partial<Measured>): string {
  const dated = partsOfPage.flatMap((part) => {
    const { measuredOn: day, loadAverage = 0 } = measured[part] ?? {};
    const beside = loadAverage > muchWork ? ` (beside other work, load average ${loadAverage})` : '';
    return day === undefined ? [] : [{ day, name: `${partNames[part]}${beside}` }];
  });
  const texts = [...Map.groupBy(dated, ({ day }) => day)].map(
    ([day, of]) => `${of.map(({ name }) => name).join(', ')} on ${day}`,
  );
  return texts.length === 0 ? 'Nothing was measured yet.' : `Measured: ${texts.join('; ')}.`;
}

function renderFaults(measured: Partial<Measured>): string {
  const faults = partsOfPage.flatMap((part) => measured[part]?.faults ?? []);
  if (faults.length === 0) return 'All that was tried was survived.';
  return `**Not survived: ${faults.length}.**\n\n${faults.map((fault) => `- ${cell(fault)}`).join('\n')}`;
}

type FigureRow = readonly [what: string, figure: string | number];

function missing(part: string): string {
  return `Not measured; \`npm run hostile -- ${part}\` does it.`;
}

function share({ tried, faults }: Tried): string {
  return `${tried - faults.length} of ${tried}`;
}

function falseFailsOf({ tried, networks }: Networks): string {
  return `${networks.reduce((sum, one) => sum + one.falseFails, 0)} in ${tried} runs`;
}

function serverFigures(servers: Servers): readonly FigureRow[] {
  const { lines, aloneMebibytes } = servers;
  const most = (of: (line: Line) => number) => Math.max(...lines.map(of));
  const shown = lines.flatMap((line) => line.faults).filter((fault) => fault.startsWith('a key')).length;
  return [
    ['hostile servers, state handlers and callers tried and survived', share(servers)],
    ['longest run against one of them (at most 120 s)', `${most(({ ms }) => ms)} ms`],
    [
      'most that the process grew by in one run (at most 400 MiB)',
      `${most((line) => line.grownMebibytes)} MiB`,
    ],
    [
      'most that a process held that ran one of the twelve with most growth alone (at most 512 MiB)',
      `${aloneMebibytes} MiB`,
    ],
    [
      'most that one process held that ran all of them, their servers included',
      `${most((line) => line.heldMebibytes)} MiB`,
    ],
    [`secrets found in reports and evidence, by ${Object.keys(echoes).length} ways of writing a key`, shown],
  ];
}

function killFigures({ tried, sameVerdicts, lost, made }: Kills): readonly FigureRow[] {
  return [
    ['kills resumed to the same verdicts', `${sameVerdicts} of ${tried}`],
    [`side effects lost over ${tried} kills`, `${lost} of ${made}`],
  ];
}

function renderNetworks({ networks }: Networks): string {
  const rows = networks.map(
    ({ share, disturbed, decided, runs, falseFails }) =>
      `| ${Math.round(share * 100)} % | ${disturbed} | ${decided} of ${runs} | ${falseFails} |`,
  );
  return `A smoke run against the conforming reference, in virtual time. The share of the requests meets, by chance: a reset before or after the effect,
a body that is cut, a page of a gateway before or after the effect, a delay, an answer that is lost after the effect. What only reads, and what
certainly never arrived, is sent again; a check that was disturbed is run again with fresh data; the rest is inconclusive.

| disturbed | requests met | decided | false fails |
|---|---|---|---|
${rows.join('\n')}`;
}

function renderKills({ tried, requests, verdicts, when }: Kills): string {
  return `A run of ${requests} requests, which leaves records and subscriptions behind, is started as users start it and killed (SIGKILL; every fourth time with the process that started it) at ${tried} moments
spread over its whole length: ${when.before} before anything was written down, ${when.within} while it ran, ${when.after} after its reports were written. Then \`--resume\` goes on with it. The verdicts of all ${verdicts} requirements asked for must be those of a run that
nobody killed, and what the deployment holds (records, subscriptions, units) must stand among the side effects of the report, by its id or as possible.`;
}

function renderServers({ lines }: Servers): string {
  return `Each is judged by a whole run with its reports: profile smoke, at most 24 requests and 8 s (40 beside a state handler), timeouts of 300 ms, answers of at most 2 MiB, as by default; beside a state handler or with callbacks the checks that need them.
A run must end by itself with exit code 0, 1 or 3, without a fault of Gatecheck; where no answer can be had, with 3 and without a finding. No request may follow a
redirect, and no key may stand in what is written. MiB: what the whole process held at most meanwhile, and by how much it grew. Steering values, key echoes and clock: four side by side.

${groups.map((group) => renderGroup(group, lines)).join('\n\n')}`;
}

function renderGroup(group: string, lines: readonly Line[]): string {
  const own = lines.filter(({ row }) => row.group === group);
  const says = own.some(({ said }) => said !== null);
  const rows = own.map(({ row, exitCode, ms, heldMebibytes, grownMebibytes, requests, said, faults }) =>
    [
      ...[cell(row.name), exitCode, requests, ms, heldMebibytes, `+${grownMebibytes}`],
      ...(says ? [cell(said ?? '')] : []),
      faults.length === 0 ? 'survived' : cell(faults.join('; ')),
    ].join(' | '),
  );
  const heads = ['server', 'exit', 'requests', 'ms', 'MiB', 'grew', ...(says ? ['doctor says'] : []), ''];
  return `### ${group.charAt(0).toUpperCase()}${group.slice(1)}: ${own.length}

| ${heads.join(' | ')} |
|${'---|'.repeat(heads.length)}
${rows.map((row) => `| ${row} |`).join('\n')}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll(/\s+/g, ' ');
}
