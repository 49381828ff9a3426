import { join, relative } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import type { ExitCode } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { planLoad, type LoadOptions } from '../../load/planLoad.ts';
import { addSecrets } from '../../settings/secrets.ts';
import { agree, loadForecast } from '../agreement.ts';
import { command, settingsBut } from '../command.ts';
import { renderCommandLine } from '../commandText.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import type { Io } from '../../core/io.ts';
import { loadOptions, loadTable } from '../load/table.ts';
import { createLoadProgress } from '../load/progress.ts';
import { redisSecrets } from '../load/workers.ts';
import { loadSettings } from '../loadSettings.ts';

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
    'gatecheck load --saturate --duration 10s',
  ],
  run: async (call) => {
    const options = loadOptions(call.options);
    if (options.workers !== null)
      addSecrets(call.io.redactor, redisSecrets(options.workers.redisUrl), 'redis');
    const settings = await loadSettings(call);
    const plan = () => loadForecast(planLoad(options, settings, settings.keys.primary.length));
    await agree(settings, { yes: call.options.yes, forecast: () => Promise.resolve(plan()) }, call.io);
    return load(settings, options, call.io);
  },
});

async function load(settings: Settings, options: LoadOptions, io: Io): Promise<ExitCode> {
  const [{ runLoad }, { renderLoadConsole }, { reportFiles }] = await Promise.all([
    import('../../run/loadRun.ts'),
    import('../../report/load/renderLoadConsole.ts'),
    import('../../report/reportDir.ts'),
  ]);
  const progress = createLoadProgress(io.stderr, systemClock);
  const { signal, release } = abortOnInterrupt(io);
  try {
    const output = await runLoad(settings, options, {
      signal,
      root: io.folder,
      redactor: io.redactor,
      command: renderCommandLine(io.args, io.redactor),
      onStart: progress.start,
      notice: progress.notice,
    });
    progress.stop();
    const paths = [reportFiles.html, reportFiles.result].map((name) =>
      relative(io.folder, join(output.reportDir, name)),
    );
    io.stdout.write(renderLoadConsole(output.result, paths, io.stdout.palette));
    return output.exitCode;
  } finally {
    progress.stop();
    release();
  }
}
