import { join, relative } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import type { ExitCode } from '../../core/errors.ts';
import { addSecrets } from '../../settings/addSecrets.ts';
import { renderCommandLine } from '../commandText.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import type { Io } from '../../core/io.ts';
import { addLoadOptions, readLoadOptions, type RawLoadOptions } from '../load/options.ts';
import { createLoadProgress } from '../load/progress.ts';
import { redisSecrets } from '../load/workers.ts';
import { loadSettings } from '../loadSettings.ts';
import type { AddCommand } from '../command.ts';
import { addExamples } from './example.ts';

/** `load`: drives a sustained load and reports throughput, latencies, errors and how exact the limiter was. */
export const addLoad: AddCommand = (command, io, finish) => {
  addLoadOptions(
    command.description('drive a sustained load and report throughput, latency percentiles and errors'),
  );
  addExamples(
    command,
    'gatecheck load',
    "gatecheck load --within-limits --duration 5m --threshold 'p99<300ms' --threshold 'errors<1%'",
    'gatecheck load --target http://127.0.0.1:8080 --rate 200/s --duration 1m --arrivals poisson',
    'gatecheck load --saturate --duration 10s',
  );
  command.action(async (raw: RawLoadOptions) => finish(await load(raw, io)));
};

async function load(raw: RawLoadOptions, io: Io): Promise<ExitCode> {
  const options = readLoadOptions(raw, io.env);
  if (options.workers !== null) addSecrets(io.redactor, redisSecrets(options.workers.redisUrl), 'redis');
  const settings = await loadSettings(raw, io);
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
