import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { RunResult } from '../../src/index.ts';
import { createDeployment, type Deployment } from '../../src/reference/deployment.ts';
import { defaultEnterprises } from '../../src/reference/enterprises.ts';
import { listen } from '../../src/reference/listen.ts';
import { documentedPolicy, type Policy } from '../../src/reference/policy.ts';
import { createQueue, forgot, isRight, of, variants, type Variant } from './variants.ts';

/*
 * Each limiter once in real time, through a socket and a slow network, with no clock to move: `node
 * bench/limiters/realTime.ts [--hour] [--only TEXT]`. The minute takes some ten minutes, since all are asked side by side; `--hour` verifies
 * the hour instead, which takes half an hour. Exit code 1 where one is not called by its name, or its row does not fail.
 */

interface Case {
  readonly id: string;
  /** Its policy, by the deployment's time at the first request. */
  readonly policy: (start: number) => Partial<Policy>;
  readonly queued?: number;
  /** What the limit may be called; null where that is not what is wrong. */
  readonly names: Variant['names'] | null;
  /** Rows of which one fails; none where nothing may. */
  readonly fails: readonly string[];
}

/** Longest delay on each way, in milliseconds. */
const delayMs = 200;
const { hour, only } = parseArgs({
  options: { hour: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
}).values;
const minuteCases: readonly Case[] = [
  // What forgets at some instant would have to know when the requests come.
  ...variants.filter(({ names }) => !names.includes(forgot)).map(caseOf),
  mistake('retry-after-milliseconds', 'SHR-LIM-020'),
  mistake('retry-after-zero', 'SHR-LIM-020'),
  mistake('retry-after-understated', 'SHR-LIM-021'),
  mistake('retry-after-missing', 'SHR-LIM-018'),
];
const hourCases: readonly Case[] = [
  { id: 'hour of 1000', policy: () => ({}), names: ['rolling log of 1000'], fails: [] },
  mistake('hour-unlimited', 'SHR-LIM-008'),
  mistake('hour-one-too-many', 'SHR-LIM-008'),
  mistake('hour-one-too-few', 'SHR-LIM-007'),
];

/** Without a record of its own it asks one operation of each API, so that a limiter of each operation is one of each API. */
function caseOf({ title, names, fails, policy, queued }: Variant): Case {
  const isOfOperation = title.includes('each operation');
  return {
    id: title,
    names: isOfOperation ? [title.replace('each operation', 'each API')] : names,
    fails: isOfOperation ? ['SHR-LIM-014'] : fails,
    policy: (start) => policy({ start, random: Math.random }),
    ...(queued === undefined ? {} : { queued }),
  };
}

function mistake(id: string, fails: string): Case {
  return { id, policy: () => of(id), names: null, fails: [fails] };
}

const results = await Promise.all(
  (hour ? hourCases : minuteCases)
    .filter(({ id }) => id.includes(only))
    .map(async (one, index) => {
      // One after the other, so that starting them does not take the time that they measure.
      await sleep(index * 4000);
      const said = await verify(one);
      process.stdout.write(`${said.isRight ? '✓' : '✗'} ${one.id}: ${said.text}\n${said.undecided.join('')}`);
      return said;
    }),
);
const right = results.filter(({ isRight }) => isRight).length;
process.stdout.write(`${right} of ${results.length} in real time, delays up to ${delayMs} ms each way\n`);
process.exit(right === results.length ? 0 : 1);

/** Runs `gatecheck limits` against a limiter of the reference. */
async function verify(one: Case): Promise<Said> {
  const { keys, enterprises } = defaultEnterprises(1);
  const deployment = createDeployment({
    enterprises,
    policy: { ...documentedPolicy, ...one.policy(Date.now()) },
  });
  const server = await listen(slow(deployment, one.queued));
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-limiter-'));
  // A flight that the timetable has, so that both APIs are asked.
  const config = { flights: [{ flightNumber: 'EK1', departureDate: 10 }] };
  writeFileSync(join(folder, 'gatecheck.config.json'), JSON.stringify(config));
  const main = join(import.meta.dirname, '../../src/cli/main.ts');
  const args = ['limits', '--target', server.url, '--seed', '1'];
  if (hour) args.push('--profile', 'full', '--only', 'shared.limits.hour*');
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      GATECHECK_KEYS_PRIMARY: keys.primary.slice(0, 2).join(','),
      GATECHECK_KEYS_OTHER: keys.other[0] ?? '',
    },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  await server.close();
  await deployment.close();
  const result = JSON.parse(readFileSync(join(folder, 'reports/latest/result.json'), 'utf8')) as RunResult;
  rmSync(folder, { recursive: true });
  return judge(one, result, code);
}

/** What came of one of them. */
interface Said {
  readonly isRight: boolean;
  readonly text: string;
  readonly undecided: readonly string[];
}

function judge({ names, fails }: Case, result: RunResult, code: number | null): Said {
  const named = result.limits?.limiters?.map((limiter) => limiter.name) ?? [];
  const failed = [...new Set(result.findings.map(({ requirement }) => requirement))];
  const isNamed = names === null || named.some((name) => isRight({ names }, name));
  const isFound = fails.length === 0 ? failed.length === 0 : failed.some((row) => fails.includes(row));
  return {
    isRight: isNamed && isFound,
    undecided: result.requirements
      .filter(({ verdict }) => verdict === 'inconclusive')
      .map(({ id, reason }) => `    ${id} is undecided: ${reason ?? ''}\n`),
    text: `called ${named.join(', ') || 'nothing'}; fails ${failed.join(', ') || 'nothing'}; exit ${code ?? 'by a signal'}`,
  };
}

/** The deployment behind a slow network, and behind a queue where it has one. */
function slow(deployment: Deployment, queued: number | undefined): Deployment {
  const queue = createQueue(queued ?? 0);
  const way = () => sleep(Math.random() * delayMs);
  return {
    ...deployment,
    fetch: async (request, info) => {
      await way();
      const waits =
        queued === undefined ? 0 : queue(request.headers.get('x-api-key') ?? '', performance.now());
      if (waits === null)
        return Response.json(
          { success: false, error: 'BUSY', message: 'busy', retryAfter: 60 },
          { status: 429 },
        );
      const answer = await deployment.fetch(request, info);
      await sleep(waits);
      await way();
      return answer;
    },
  };
}
