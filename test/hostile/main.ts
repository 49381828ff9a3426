import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { faultyRun, fuzzedRun, fuzzFaults } from './faultyRuns.ts';
import { hostileRows } from './rows.ts';
import { groups } from './row.ts';
import { runRow, type Survived } from './runRow.ts';

// `npm run hostile`: every server of the table and the bad networks, with the figures of docs/robustness.md.

const page = join(import.meta.dirname, '../../docs/robustness.md');
const shares = [0.01, 0.05, 0.2];
const runsEach = 70;
const fuzzedRuns = 300;

const survived: Survived[] = [];
for (const row of hostileRows) {
  const one = inTime(await runRow(row));
  survived.push(one);
  if (one.faults.length > 0) console.error(`${row.group}: ${row.name}: ${one.faults.join('; ')}`);
}
const networks: Network[] = [];
for (const share of shares) networks.push(await overNetwork(share));
const fuzzed: (readonly string[])[] = [];
for (let seed = 1; seed <= fuzzedRuns; seed += 1) {
  const found = fuzzFaults(await fuzzedRun(seed));
  fuzzed.push(found);
  if (found.length > 0) console.error(`fuzzed answers, seed ${seed}: ${found.join('; ')}`);
}

const options = (await resolveConfig(page)) ?? {};
writeFileSync(page, await format(renderPage(), { ...options, filepath: page }));
const faults = [...survived.map((one) => one.faults), ...fuzzed].filter((found) => found.length > 0).length;
const falseFails = networks.reduce((sum, one) => sum + one.falseFails, 0);
console.log(
  `${survived.length} servers and ${fuzzedRuns} fuzzed runs, ${faults} not survived; ${falseFails} false fails; see docs/robustness.md`,
);
process.exitCode = faults + falseFails > 0 ? 1 : 0;

/** Here the runs come one after the other, so that the time of each says something; in the tests only a run without end is a fault. */
function inTime(one: Survived): Survived {
  return one.ms > 15_000 ? { ...one, faults: [...one.faults, `took ${one.ms} ms`] } : one;
}

interface Network {
  readonly share: number;
  readonly decided: number;
  readonly falseFails: number;
  readonly disturbed: number;
}

async function overNetwork(share: number): Promise<Network> {
  let [decided, falseFails, disturbed] = [0, 0, 0];
  for (let seed = 1; seed <= runsEach; seed += 1) {
    const { result, met } = await faultyRun(share, seed);
    if (result.summary.verdict !== 'inconclusive') decided += 1;
    falseFails += result.summary.failed;
    disturbed += met;
  }
  return { share, decided, falseFails, disturbed };
}

function renderPage(): string {
  const largest = Math.max(...survived.map(({ grownMebibytes }) => grownMebibytes));
  const longest = Math.max(...survived.map(({ ms }) => ms));
  const ok = survived.filter((one) => one.faults.length === 0).length;
  return `# What Gatecheck survives

Made by \`npm run hostile\`; do not edit. A fixed sample of it is part of \`npm test\`.

| figure | |
|---|---|
| hostile servers tried and survived | ${ok} of ${survived.length} |
| longest run against one of them | ${longest} ms |
| most that the process grew by in one run | ${largest} MiB |
| secrets found in reports and evidence, by 13 ways of writing a key | ${survived.flatMap((one) => one.faults).filter((fault) => fault.startsWith('a key')).length} |
| runs with fuzzed answers survived | ${fuzzed.filter((found) => found.length === 0).length} of ${fuzzedRuns} |
| false fails over bad networks | ${networks.reduce((sum, one) => sum + one.falseFails, 0)} in ${networks.length * runsEach} runs |

## Bad networks

A smoke run against the conforming reference, in virtual time. The share of the requests meets, by chance: a reset before or after the effect,
a body that is cut, a page of a gateway before or after the effect, a delay, an answer that is lost after the effect. What only reads, and what
certainly never arrived, is sent again; a check that was disturbed is run again with fresh data; the rest is inconclusive.

| disturbed | requests met | decided | false fails |
|---|---|---|---|
${networks.map(({ share, disturbed, decided, falseFails }) => `| ${Math.round(share * 100)} % | ${disturbed} | ${decided} of ${runsEach} | ${falseFails} |`).join('\n')}

## Fuzzed answers

A smoke run against the reference, in virtual time, where every second answer has one member, anywhere in it, replaced: by another type, an extreme number or date, a text of up to 200,000
characters, markup, a name such as \`__proto__\`, a list of 10,000, 2,000 levels of nesting. A run must end within its budget, without a fault of Gatecheck.

## Hostile servers

Each is judged by a whole run with its reports: profile smoke, at most 20 requests and 8 s, timeouts of 300 ms, answers of at most 1 MiB. A run
must end by itself with exit code 0, 1 or 3, without a fault of Gatecheck; where no answer can be had, with 3 and without a finding. No request may follow a
redirect, and no key may stand in what is written.

${groups.map(renderGroup).join('\n\n')}
`;
}

function renderGroup(group: string): string {
  const own = survived.filter(({ row }) => row.group === group);
  const lines = own.map(
    ({ row, exitCode, ms, grownMebibytes, requests, faults: found }) =>
      `| ${row.name.replaceAll('|', '\\\\|').replaceAll('<', '&lt;').replaceAll('\\n', ' ')} | ${exitCode} | ${requests} | ${ms} | ${grownMebibytes} | ${found.join('; ')} |`,
  );
  return `### ${group.charAt(0).toUpperCase()}${group.slice(1)}: ${own.length}\n\n| server | exit | requests | ms | MiB | |\n|---|---|---|---|---|---|\n${lines.join('\n')}`;
}
