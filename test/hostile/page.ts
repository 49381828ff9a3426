import { groups } from './row.ts';
import type { Figures, Kills, Line, Networks, Servers } from './parts.ts';

/** docs/robustness.md, of what was measured. */
export function renderPage(figures: Figures): string {
  const { servers, networks, fuzzed, kills } = figures;
  return `# What Gatecheck survives

Made by \`npm run hostile\`; do not edit. A fixed sample of it is part of \`npm test\`.

| figure | |
|---|---|
${renderFigures(figures)}

${renderNetworks(networks)}

## Fuzzed answers

A smoke run against the reference, in virtual time, where every second answer has one member, anywhere in it, replaced: by another type, an extreme number or date, a text of up to 200,000
characters, markup, a name such as \`__proto__\`, a list of 10,000, 2,000 levels of nesting. A run must end within its budget, without a fault of Gatecheck: ${fuzzed.tried - fuzzed.faults.length} of ${fuzzed.tried} did.

${renderKills(kills)}

${renderServers(servers)}
`;
}

function renderFigures({ servers, networks, fuzzed, kills }: Figures): string {
  const { lines } = servers;
  const most = (of: (line: Line) => number) => Math.max(...lines.map(of));
  const shown = lines.flatMap((line) => line.faults).filter((fault) => fault.startsWith('a key')).length;
  const falseFails = networks.networks.reduce((sum, one) => sum + one.falseFails, 0);
  const ok = lines.filter(({ faults }) => faults.length === 0).length;
  const rows: readonly (readonly [string, string | number])[] = [
    ['hostile servers, state handlers and callers tried and survived', `${ok} of ${lines.length}`],
    ['longest run against one of them (at most 120 s)', `${most(({ ms }) => ms)} ms`],
    [
      'most memory that the whole process held in one run, its hostile server included (at most 512 MiB)',
      `${most(({ heldMebibytes }) => heldMebibytes)} MiB`,
    ],
    ['secrets found in reports and evidence, by 13 ways of writing a key', shown],
    ['runs with fuzzed answers survived', `${fuzzed.tried - fuzzed.faults.length} of ${fuzzed.tried}`],
    ['false fails over bad networks', `${falseFails} in ${networks.tried} runs`],
    ['kills resumed to the same verdicts', `${kills.sameVerdicts} of ${kills.tried}`],
    [`side effects lost over ${kills.tried} kills`, `${kills.lost} of ${kills.made}`],
  ];
  return rows.map(([what, figure]) => `| ${what} | ${figure} |`).join('\n');
}

function renderNetworks({ networks }: Networks): string {
  const rows = networks.map(
    ({ share, disturbed, decided, runs, falseFails }) =>
      `| ${Math.round(share * 100)} % | ${disturbed} | ${decided} of ${runs} | ${falseFails} |`,
  );
  return `## Bad networks

A smoke run against the conforming reference, in virtual time. The share of the requests meets, by chance: a reset before or after the effect,
a body that is cut, a page of a gateway before or after the effect, a delay, an answer that is lost after the effect. What only reads, and what
certainly never arrived, is sent again; a check that was disturbed is run again with fresh data; the rest is inconclusive.

| disturbed | requests met | decided | false fails |
|---|---|---|---|
${rows.join('\n')}`;
}

function renderKills({ tried, requests, verdicts, when }: Kills): string {
  return `## Kills

A run of ${requests} requests, which leaves records and subscriptions behind, is started as users start it and killed (SIGKILL; every fourth time with the process that started it) at ${tried} moments
spread over its whole length: ${when.before} before anything was written down, ${when.within} while it ran, ${when.after} after its reports were written. Then \`--resume\` goes on with it. The verdicts of all ${verdicts} requirements asked for must be those of a run that
nobody killed, and what the deployment holds (records, subscriptions, units) must stand among the side effects of the report, by its id or as possible.`;
}

function renderServers({ lines }: Servers): string {
  return `## Hostile servers

Each is judged by a whole run with its reports: profile smoke, at most 20 requests and 8 s, timeouts of 300 ms, answers of at most 1 MiB; beside a state handler or with callbacks the checks that need them.
A run must end by itself with exit code 0, 1 or 3, without a fault of Gatecheck; where no answer can be had, with 3 and without a finding. No request may follow a
redirect, and no key may stand in what is written. MiB: what the whole process held at most meanwhile, and by how much it grew.

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
