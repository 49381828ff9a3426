import { z } from 'zod';
import { systemClock } from '../../core/clock.ts';
import { exitCodes, type ExitCode } from '../../core/errors.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import { hostPort, url } from '../../settings/addressForms.ts';
import { duration, path, whole } from '../../settings/forms.ts';
import { row, type ValuePlace } from '../../settings/row.ts';
import { fromVariable } from '../../settings/secretForms.ts';
import { agree, agreementTable } from '../agreement.ts';
import { command, settingsBut } from '../command.ts';
import { renderCommandLine } from '../commandText.ts';
import { readCheckedSettings } from '../readSettings.ts';

const { yes } = agreementTable;

/** `monitor`: judges repeatedly within a daily budget, and reports what changes. */
export const monitorCommand = command({
  name: 'monitor',
  about: 'judge a target repeatedly within a daily budget, report changes, export metrics',
  settings: settingsBut(
    ...['profile', 'shard', 'watchMs', 'updateBaseline', 'baselineReason', 'strict', 'minMust', 'require'],
    ...['budgets.maxRequests', 'budgets.maxQuota', 'budgets.maxSubscriptions'],
  ),
  options: {
    every: row({
      form: duration,
      default: 15 * 60_000,
      flag: '--every <time>',
      help: 'time from the start of one round to that of the next',
      usual: '15m',
    }),
    dailyRequests: row({
      form: whole(1),
      default: 2000,
      flag: '--daily-requests <n>',
      help: 'send at most this many requests a day (UTC), shared evenly among the rounds',
    }),
    dailyQuota: row({
      form: whole(),
      default: 0,
      flag: '--daily-quota <n>',
      help: 'spend at most this many quota units a day; with 2, rounds can reuse records of earlier ones',
    }),
    dailySubscriptions: row({
      form: whole(),
      default: 0,
      flag: '--daily-subscriptions <n>',
      help: 'leave behind at most this many flight subscriptions a day, which nothing removes',
    }),
    rounds: row({
      form: whole(1),
      default: null,
      flag: '--rounds <n>',
      help: 'end after this many rounds, such as 1 in a cron job',
      usual: 'until Ctrl-C',
    }),
    endsAtAlert: row({
      form: z.boolean(),
      default: false,
      flag: '--exit-on-alert',
      help: 'end at the first alert, with its exit code',
    }),
    webhook: row({
      form: (place: ValuePlace) => fromVariable(url, place),
      default: null,
      flag: '--webhook <ref>',
      help: 'env:NAME of the address to which alerts are posted, as JSON',
    }),
    alertFile: row({
      form: path,
      default: null,
      flag: '--alert-file <file>',
      help: 'append alerts to this file, one line of JSON each',
    }),
    otlp: row({
      form: url,
      default: null,
      flag: '--otlp <url>',
      help: 'send OpenTelemetry metrics to this collector after each round (OTLP over HTTP, JSON)',
      example: 'http://127.0.0.1:4318',
    }),
    metricsListen: row({
      form: hostPort,
      default: null,
      flag: '--metrics-listen <host:port>',
      help: 'serve the metrics for Prometheus at /metrics on this address',
      usual: 'none',
      example: '127.0.0.1:9464',
    }),
    yes,
  },
  examples: [
    'gatecheck monitor --target https://api.example.com --every 15m --daily-quota 2 --webhook env:ALERTS --yes',
    'gatecheck monitor --rounds 1 --alert-file alerts.ndjson',
    'gatecheck monitor --metrics-listen 127.0.0.1:9464',
  ],
  run: async (call) => {
    const { io, options } = call;
    const settings = await readCheckedSettings(call);
    const { dailyRequests, dailyQuota, dailySubscriptions } = options;
    const { monitor, requestsOfRound } = await import('../../run/monitor/monitor.ts');
    requestsOfRound({ everyMs: options.every, dailyRequests });
    const budgets = { dailyRequests, dailyQuota, dailySubscriptions };
    await agree(settings, { yes: options.yes, forecast: () => Promise.resolve(spentADay(budgets)) }, io);
    const [{ run }, { memoryFolder }, prometheus, { noFigures, samplesFor }] = await Promise.all([
      import('../../run/run.ts'),
      import('../../run/memoryFolder.ts'),
      import('../../run/monitor/figures.ts'),
      import('../../run/monitor/figures.ts'),
    ]);
    const { redactor, stdout } = io;
    if (options.webhook !== null) redactor.add(options.webhook, 'webhook');
    let figures = noFigures;
    const target =
      settings.target.kind === 'url' ? settings.target.baseUrls.webcheckin : settings.target.kind;
    const render = () => prometheus.renderPrometheus(samplesFor(figures), target);
    const server =
      options.metricsListen === null
        ? null
        : await prometheus.openMetricsServer(options.metricsListen, render);
    const { signal, release } = abortOnInterrupt(io);
    const tell = (text: string) =>
      stdout.write(redactor.redact(`${new Date(systemClock.now()).toISOString()}  ${text}\n`));
    if (server) tell(`metrics at ${server.url}`);
    try {
      const end = await monitor(settings, {
        ...{ everyMs: options.every, ...budgets },
        ...{ rounds: options.rounds, endsAtAlert: options.endsAtAlert },
        ...{ webhook: options.webhook, alertFile: options.alertFile },
        ...{ otlp: options.otlp, clock: systemClock, signal, redactor, root: io.folder, run, tell },
        memory: memoryFolder(io.folder),
        command: renderCommandLine(io.args, redactor),
        onFigures: (now) => {
          figures = now;
        },
      });
      return exitCodeOf(end);
    } finally {
      release();
      await server?.close();
    }
  },
});

/** What a day of the monitor sends and spends, for the user to agree to. */
function spentADay({ dailyRequests, dailyQuota, dailySubscriptions }: DailyBudgets): readonly string[] {
  return [
    `at most ${dailyRequests} requests and ${dailyQuota} quota units a day`,
    dailySubscriptions === 0
      ? 'no flight subscriptions'
      : `at most ${dailySubscriptions} flight subscriptions a day`,
  ];
}

interface DailyBudgets {
  readonly dailyRequests: number;
  readonly dailyQuota: number;
  readonly dailySubscriptions: number;
}

/** Failures count more than the interrupt, which is how a monitor usually ends. */
function exitCodeOf({
  failing,
  isLost,
}: {
  readonly failing: readonly string[];
  readonly isLost: boolean;
}): ExitCode {
  if (failing.length > 0) return exitCodes.gateNotMet;
  return isLost ? exitCodes.inconclusive : exitCodes.ok;
}
