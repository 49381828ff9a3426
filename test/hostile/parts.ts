import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { faultyRun, fuzzedRun, fuzzFaults } from './faultyRuns.ts';
import { killedRun, killFaults, undisturbedRun } from './kills.ts';
import type { HostileRow } from './row.ts';
import { hostileRows } from './rows.ts';
import { runRow, type Survived } from './runRow.ts';

/** What every part of the page says of itself. */
export interface Tried {
  readonly tried: number;
  /** What was not survived, in words; empty where all is well. */
  readonly faults: readonly string[];
}

/** A row of the table without what opens its server. */
export type Line = Omit<Survived, 'row'> & { readonly row: Pick<HostileRow, 'group' | 'name'> };

export interface Servers extends Tried {
  readonly lines: readonly Line[];
  /** The most MiB that a process held which ran nothing but one of the rows that grew most. */
  readonly aloneMebibytes: number;
}

interface Network {
  readonly share: number;
  readonly runs: number;
  readonly decided: number;
  readonly falseFails: number;
  readonly disturbed: number;
}

export interface Networks extends Tried {
  readonly networks: readonly Network[];
}

export interface Kills extends Tried {
  readonly requests: number;
  readonly verdicts: number;
  readonly made: number;
  readonly when: Readonly<Record<'before' | 'within' | 'after', number>>;
  readonly sameVerdicts: number;
  readonly lost: number;
}

/** The longest that a run may take here, also on a machine that others use. */
const mostMs = 60_000;
/** Most of their time these wait for a limit or for another second; several side by side, and what they grow by is that of all. */
const waiting = new Set<string>(['steering values', 'key echoes', 'clock']);
/** Rows that run in a process of their own as well: what all rows leave behind in one process is no row's. */
const triedAlone = 12;
const mostAlone = 512;

async function tryServers(): Promise<Servers> {
  const lines = new Map<HostileRow, Line>();
  const work = async (rows: Iterable<HostileRow>) => {
    for (const row of rows) lines.set(row, lineOf(await runRow(row)));
  };
  const patient = hostileRows.filter(({ group }) => waiting.has(group)).values();
  await Promise.all(Array.from({ length: 4 }, () => work(patient)));
  await work(hostileRows.filter(({ group }) => !waiting.has(group)));
  const inOrder = hostileRows.flatMap((row) => lines.get(row) ?? []);
  const alone = new Map(
    inOrder
      .toSorted((one, other) => other.grownMebibytes - one.grownMebibytes)
      .slice(0, triedAlone)
      .map((line) => [line, heldAlone(line.row)]),
  );
  const judged = inOrder.map((line) => withAlone(line, alone.get(line) ?? 0));
  const bad = judged.filter(({ faults }) => faults.length > 0);
  const faults = bad.map(({ row, faults: found }) => `${row.group}: ${row.name}: ${found.join('; ')}`);
  return { tried: judged.length, lines: judged, faults, aloneMebibytes: Math.max(...alone.values()) };
}

function withAlone(line: Line, mebibytes: number): Line {
  if (mebibytes <= mostAlone) return line;
  return { ...line, faults: [...line.faults, `held ${mebibytes} MiB alone`] };
}

function heldAlone({ group, name }: Line['row']): number {
  const script = join(import.meta.dirname, 'alone.ts');
  return Number(execFileSync(process.execPath, ['--expose-gc', script, group, name], { encoding: 'utf8' }));
}

function lineOf(one: Survived): Line {
  const { group, name } = one.row;
  const slow = one.ms > mostMs ? [`took ${one.ms} ms`] : [];
  return { ...one, row: { group, name }, faults: [...one.faults, ...slow] };
}

/** Shares of disturbed requests, and the least share of runs that are to be decided. */
const shares = [
  [0.01, 0.9],
  [0.05, 0.7],
  [0.2, 0],
] as const;
const runsEach = 70;

async function tryNetworks(): Promise<Networks> {
  const networks: Network[] = [];
  for (const [share] of shares) networks.push(await overNetwork(share));
  const faults = networks.flatMap(({ share, runs, decided, falseFails }, index) => [
    ...(falseFails > 0 ? [`${falseFails} false fails at ${share * 100} %`] : []),
    ...(decided < (shares[index]?.[1] ?? 0) * runs
      ? [`${decided} of ${runs} decided at ${share * 100} %`]
      : []),
  ]);
  return { tried: networks.length * runsEach, networks, faults };
}

async function overNetwork(share: number): Promise<Network> {
  let [decided, falseFails, disturbed] = [0, 0, 0];
  for (let seed = 1; seed <= runsEach; seed += 1) {
    const { result, met } = await faultyRun(share, seed);
    if (result.summary.verdict !== 'inconclusive') decided += 1;
    falseFails += result.summary.failed;
    disturbed += met;
  }
  return { share, runs: runsEach, decided, falseFails, disturbed };
}

const fuzzedRuns = 300;

async function tryFuzzed(): Promise<Tried> {
  const faults: string[] = [];
  for (let seed = 1; seed <= fuzzedRuns; seed += 1) {
    const found = fuzzFaults(await fuzzedRun(seed));
    if (found.length > 0) faults.push(`seed ${seed}: ${found.join('; ')}`);
  }
  return { tried: fuzzedRuns, faults };
}

const killsTried = 100;

async function tryKills(): Promise<Kills> {
  const whole = await undisturbedRun();
  const indexes = Array.from({ length: killsTried }, (_, index) => index).values();
  const [faults, when] = [[] as string[], { before: 0, within: 0, after: 0 }];
  let [sameVerdicts, lost, made] = [0, 0, 0];
  const work = async () => {
    for (const index of indexes) {
      const kill = await killedRun(index, killsTried, whole);
      const found = killFaults(kill);
      when[kill.when] += 1;
      if (kill.verdicts.length === whole.verdicts.length && kill.differing.length === 0) sameVerdicts += 1;
      lost += kill.lost.length;
      made += kill.made;
      if (found.length > 0) faults.push(`kill ${index} (${kill.sentBefore} requests): ${found.join('; ')}`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  const { requests, verdicts } = whole;
  return { tried: killsTried, faults, requests, verdicts: verdicts.length, made, when, sameVerdicts, lost };
}

/** The parts of the page, in the order in which they are measured. */
export const parts = {
  servers: tryServers,
  networks: tryNetworks,
  fuzzed: tryFuzzed,
  kills: tryKills,
};

export type Part = keyof typeof parts;

/** What the parts came to, each with the day on which it was measured, as in `2026-11-24`. */
export type Measured = {
  readonly [P in Part]: Awaited<ReturnType<(typeof parts)[P]>> & {
    readonly measuredOn: string;
    /** The load average of the machine then; missing in older figures. */
    readonly loadAverage?: number;
  };
};
