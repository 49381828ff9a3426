import { join } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import { exitCodes, type ExitCode } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { readJourneys } from '../../load/journeys/journeyFiles.ts';
import type { LoadOptions } from '../../load/plan/loadOptions.ts';
import { planLoad } from '../../load/plan/planLoad.ts';
import { addSecrets } from '../../settings/secrets.ts';
import { agree } from '../agreement.ts';
import { programOf } from '../again.ts';
import { command, settingsBut } from '../command.ts';
import { renderCommandLine } from '../commandText.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import type { Io } from '../../core/io.ts';
import { loadTable } from '../load/table.ts';
import { loadForecast } from '../load/forecast.ts';
import { loadOptions } from '../load/loadOptions.ts';
import { createLoadTalk } from '../load/talk.ts';
import { redisSecrets } from '../load/workers.ts';
import { readSettings } from '../readSettings.ts';
import type { TalkOptions } from '../talk.ts';

/** `load`: drives a sustained load and reports throughput, latencies, errors and how exact the limiter was. */
export const loadCommand = command({
  name: 'load',
  about: 'drive a sustained load and report throughput, latency percentiles and errors',
  settings: settingsBut('watchMs', 'shard', 'updateBaseline', 'baselineReason'),
  options: loadTable,
  examples: [
    'gatecheck load',
    "gatecheck load --within-limits --duration 5m --threshold 'p99<300ms' --threshold 'errors<1%'",
    'gatecheck load --target http://127.0.0.1:8080 --rate 200/s --duration 1m --arrivals poisson',
    "gatecheck load --journeys subscribe-and-poll=3,dashboard=1 --stages '0→20/s in 30s, 20/s for 2m' --max-quota 5000",
    "gatecheck load --target http://127.0.0.1:8080 --find-capacity 'p99<300ms, errors<0.1%'",
    'gatecheck load --saturate --duration 10s',
  ],
  run: async (call) => {
    if (call.options.listJourneys) return printJourneys(call.options.journeysFrom, call.io);
    const options = await loadOptions(call.options, call.given, call.io.folder);
    if (options.workers !== null)
      addSecrets(call.io.redactor, redisSecrets(options.workers.redisUrl), 'redis');
    const settings = await readSettings(call);
    const forecast = async () =>
      loadForecast(planLoad(options, settings, settings.keys.primary.length), options, settings);
    await agree(settings, { yes: call.options.yes, forecast }, call.io);
    return load(settings, options, { io: call.io, ...call.options });
  },
});

async function printJourneys(file: string | null, io: Io): Promise<ExitCode> {
  const journeys = await readJourneys(file, io.folder);
  const lines = journeys.map(({ id, title, cost, needs }) => {
    const left = [
      `${cost.requests} requests at most`,
      ...((cost.quota ?? 0) > 0 ? [`${cost.quota ?? 0} quota unit`] : []),
      ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : []),
    ];
    return `${id.padEnd(24)} ${title} (${left.join('; ')})`;
  });
  io.stdout.write(`${lines.join('\n')}\n`);
  return exitCodes.ok;
}

interface Watching extends TalkOptions {
  readonly io: Io;
  readonly dashboard: number | null;
  readonly otlp: string | null;
}

async function load(
  settings: Settings,
  options: LoadOptions,
  { io, dashboard: port, otlp, ...said }: Watching,
): Promise<ExitCode> {
  const { runLoad } = await import('../../run/loadRun.ts');
  const talk = createLoadTalk(said, io);
  const { createLoadMetrics } = await import('../../run/loadMetrics.ts');
  const { openDashboard } = await import('../../run/dashboard.ts');
  const { reportFiles } = await import('../../report/reportDir.ts');
  const metrics = otlp === null ? null : createLoadMetrics(otlp, systemClock, talk.notice);
  const dashboard = port === null ? null : await openDashboard(port, systemClock);
  if (dashboard !== null) talk.notice(`dashboard at ${dashboard.url}`);
  const { signal, release } = abortOnInterrupt(io);
  try {
    const output = await runLoad(settings, options, {
      signal,
      root: io.folder,
      redactor: io.redactor,
      command: renderCommandLine(io.args, io.redactor),
      again: renderCommandLine(io.args, io.redactor, programOf(io)),
      onStart: (view) => {
        talk.start(view);
        dashboard?.start(view);
        metrics?.start(view);
      },
      notice: talk.notice,
      onExchange: talk.onExchange,
    });
    talk.stop();
    await talk.finish(output);
    await dashboard?.finish(output.result, join(output.reportDir, reportFiles.html));
    return output.exitCode;
  } finally {
    talk.stop();
    await metrics?.stop();
    await dashboard?.close();
    release();
  }
}
