import './ownTempFolder.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '../src/core/random.ts';
import { Redactor } from '../src/core/redact.ts';
import { systemClock, type Clock } from '../src/core/clock.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defects, type Defect } from '../src/reference/defects.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { documentedPolicy } from '../src/reference/policy.ts';
import { monitor } from '../src/run/monitor/monitor.ts';
import { run } from '../src/run/run.ts';
import { resolveSettings } from '../src/settings/settings.ts';
import { openTarget } from '../src/target/inProcess.ts';

// `npm run bench:monitor`: within how many rounds of a monitor seeded defects are found, drawn at random, with one key pair, no state
// handler, 2,000 requests a day at 15 minutes (20 a round) and a few quota units. The pauses between rounds are over at once, for the monitor
// alone: `--minutes 360 --rounds 28` is a week of four rounds a day, in which units come anew each day.

const { values } = parseArgs({
  options: {
    defects: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '24' },
    quota: { type: 'string', default: '2' },
    subscriptions: { type: 'string', default: '0' },
    requests: { type: 'string', default: '2000' },
    minutes: { type: 'string', default: '15' },
  },
});
const rounds = Number(values.rounds);
const everyMs = Number(values.minutes) * 60_000;
const marks = [1, 4, rounds];
const folder = mkdtempSync(join(tmpdir(), 'gatecheck-bench-monitor-'));
process.env.GATECHECK_STATE_DIR = 'state';

try {
  const found: number[] = [];
  for (const [index, defect] of drawn(Number(values.defects), Number(values.seed)).entries()) {
    const first = await firstAlert(defect, join(folder, String(index)));
    found.push(first.round);
    const when = Number.isFinite(first.round) ? `round ${first.round}` : 'not found';
    process.stdout.write(`${defect.id.padEnd(40)} ${when.padEnd(10)} ${first.turn}\n`);
  }
  for (const mark of marks) {
    const count = found.filter((round) => round <= mark).length;
    process.stdout.write(`within ${mark} ${mark === 1 ? 'round' : 'rounds'}: ${count} of ${found.length}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

function drawn(count: number, seed: number): readonly Defect[] {
  const random = createRandom(seed);
  return defects
    .map((defect) => ({ defect, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ defect }) => defect);
}

/** The clock of the monitor, on which the pauses between rounds are over at once. */
function passingClock(): Clock {
  let passed = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + passed,
    monotonic: () => systemClock.monotonic() + passed,
    sleep: (ms) => {
      passed += ms;
      return Promise.resolve();
    },
  };
}

/** The first round that tells of a defect, and what the rounds had met at the end. */
async function firstAlert(
  defect: Defect,
  root: string,
): Promise<{ readonly round: number; readonly turn: string }> {
  const { enterprises, keys } = defaultEnterprises(1);
  // So that a round of a quarter of a day waits for nothing.
  const limits = { perMinute: 100_000, perHour: 1_000_000 };
  const app = createDeployment({ enterprises, limits, policy: { ...documentedPolicy, ...defect.policy } });
  const env = { ONE: keys.primary[0] ?? '', TWO: keys.other[0] ?? '' };
  const settings = resolveSettings(
    { seed: 1, target: 'http://127.0.0.1:1', keys: { primary: 'env:ONE', other: 'env:TWO' }, limits },
    { env },
  );
  const clock = passingClock();
  const judged: string[] = [];
  let round = Number.POSITIVE_INFINITY;
  await monitor(settings, {
    ...{ everyMs, dailyRequests: Number(values.requests), dailyQuota: Number(values.quota) },
    ...{ dailySubscriptions: Number(values.subscriptions), rounds },
    ...{ endsAtAlert: true, webhook: null, alertFile: null, otlp: null, clock, root },
    ...{ redactor: new Redactor(), signal: new AbortController().signal, command: 'gatecheck monitor' },
    memory: join(root, 'memory'),
    run: (given, options) =>
      run(given, { ...options, openTarget: openTarget({ fetch: (request) => app.fetch(request) }) }),
    tell: (text) => {
      if (text.startsWith('ALERT, fails')) round = judged.length;
      else if (!text.startsWith('Warning')) judged.push(text);
    },
    onFigures: () => undefined,
  });
  await app.close();
  return { round, turn: judged.at(-1)?.split('; ').at(-1) ?? '' };
}
