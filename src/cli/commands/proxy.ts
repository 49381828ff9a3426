import { z } from 'zod';
import type { ExitCode } from '../../core/errors.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import { faultForm } from '../../run/proxy/faults.ts';
import { baseUrl, hostPort } from '../../settings/addressForms.ts';
import { path } from '../../settings/forms.ts';
import { problemsError, type Problem } from '../../settings/problem.ts';
import { row } from '../../settings/row.ts';
import { pageRows, pathSecretRow } from '../../sink/options.ts';
import { programOf } from '../again.ts';
import { withReason } from '../baselineReason.ts';
import { command, settingsOf } from '../command.ts';
import { renderCommandLine } from '../commandText.ts';
import { readCheckedSettings } from '../readSettings.ts';
import { createTalk, talkTable } from '../talk.ts';

const { quiet } = talkTable;

/** `proxy`: runs between a client and a deployment, judges what passes, and injects faults on demand. */
export const proxyCommand = command({
  name: 'proxy',
  about: 'run between a client and a target: record and judge the traffic, inject faults on demand',
  settings: settingsOf(
    ...['config', 'apis', 'seed', 'budgets.maxDurationMs', 'reportDir', 'strict', 'minMust'],
    ...['baseline', 'updateBaseline', 'baselineReason'],
    ...['sink.listen', 'sink.publicUrl', 'sink.certFile', 'sink.keyFile'],
  ),
  options: {
    target: row({
      form: baseUrl,
      default: null,
      flag: '--target <url>',
      help: 'the deployment behind the proxy',
    }),
    listen: row({
      form: hostPort,
      default: { host: '127.0.0.1', port: 0 },
      flag: '--listen <host:port>',
      help: 'where it listens, port 0 for a free one',
      usual: '127.0.0.1:0',
      example: '127.0.0.1:8080',
    }),
    faults: row({
      form: z.array(faultForm),
      default: [],
      flag: '--fault <spec>',
      help: '429x3, 500:10%@wci.subscribe, latency=300ms, reset, lost, callback-lost, …',
      usual: 'none',
    }),
    callbacks: row({
      form: z.boolean(),
      default: false,
      flag: '--callbacks',
      help: 'route the callbacks of subscribes through the proxy, at the sink address given here',
    }),
    pathSecret: pathSecretRow,
    oneEnterprise: row({
      form: z.boolean(),
      default: false,
      flag: '--one-enterprise',
      help: 'treat all keys that no variable names as keys of one enterprise',
    }),
    har: row({
      form: path,
      default: null,
      flag: '--har <file>',
      help: 'at the end, also write the traffic as HAR 1.2',
    }),
    ...pageRows('what passes'),
    quiet,
  },
  examples: [
    'gatecheck proxy --target https://qa.example.com --listen 127.0.0.1:8080',
    'gatecheck proxy --target https://qa.example.com --fault 429=30x2 --fault "500:10%@wci.subscribe"',
    'gatecheck proxy --target https://qa.example.com --callbacks --sink-public-url https://tunnel.example.com --fault callback-late=30s',
  ],
  run: async (call) => {
    const { io, flags, options } = call;
    const { target } = options;
    if (target === null) throw problemsError([noTarget(io.env.GATECHECK_TARGET)]);
    // It sends nothing by itself, so it needs no key, and the config file may name another target.
    const given = { ...flags, given: { ...flags.given, target: 'embedded' } };
    const settings = await withReason(await readCheckedSettings({ ...call, flags: given }), io);
    const [{ openProxy }, { renderPassed, renderProxyBanner, renderProxySummary }] = await Promise.all([
      import('../../run/proxy/proxy.ts'),
      import('../../run/proxy/terminal.ts'),
    ]);
    const { stdout, stderr, redactor } = io;
    const print = (text: string) => {
      if (!options.quiet) stderr.write(redactor.redact(text));
    };
    const { signal, release } = abortOnInterrupt(io);
    const proxy = await openProxy(settings, {
      ...{ target, listen: options.listen, faults: options.faults, takesCallbacks: options.callbacks },
      ...{ pathSecret: options.pathSecret, isOneEnterprise: options.oneEnterprise, har: options.har },
      pagePort: options.hasPage ? options.pagePort : null,
      apis: 'apis' in flags.given ? settings.apis : null,
      command: renderCommandLine(io.args, redactor),
      program: programOf(io),
      root: io.folder,
      notice: (text) => print(`${text}\n`),
      show: (view) => print(`${renderPassed(view, stderr.palette)}\n`),
    });
    print(renderProxyBanner(proxy, { target, palette: stderr.palette }));
    try {
      await overOrAfter(settings.budgets.maxDurationMs, signal);
      const output = await proxy.finish();
      print(renderProxySummary(proxy));
      const talk = createTalk({ quiet: options.quiet, verbose: false, json: false }, { ...io, stdout });
      talk.stop();
      await talk.finish(output);
      if (output.notKept !== null) throw output.notKept;
      return output.exitCode as ExitCode;
    } finally {
      release();
    }
  },
});

/** Resolves at the interrupt, or when the time is up. */
async function overOrAfter(ms: number | null, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const timeout = ms === null ? undefined : setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timeout);
        resolve();
      },
      { once: true },
    );
  });
}

function noTarget(variable: string | undefined): Problem {
  const expected = 'expected the address of a deployment';
  return variable === undefined
    ? { where: '--target', fault: `${expected}; got none` }
    : { where: 'GATECHECK_TARGET', fault: `${expected}; it is set, but empty` };
}
