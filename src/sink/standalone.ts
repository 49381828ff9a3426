import { type ExitCode, exitCodes } from '../core/errors.ts';
import { abortOnInterrupt } from '../core/interrupt.ts';
import type { Io } from '../core/io.ts';
import { openStandalone } from './openStandalone.ts';
import type { StandaloneSettings } from './options.ts';
import { renderArrival, renderSinkBanner, renderSinkSummary } from './terminal.ts';

/** Runs the sink by itself until an interrupt: a line for each arrival, a page, and a summary at the end. */
export async function standAlone(settings: StandaloneSettings, io: Io): Promise<ExitCode> {
  const { stdout, stderr, redactor } = io;
  const { signal, release } = abortOnInterrupt(io);
  const print = (text: string) => stdout.write(redactor.redact(text));
  const sink = await openStandalone({
    settings,
    redactor,
    show: (entry) => print(`${renderArrival(entry, stdout.palette)}\n`),
  });
  const { board, server, pageUrl } = sink;
  try {
    const { addresses } = board;
    const { tlsCa: caFile } = settings;
    print(renderSinkBanner({ addresses, listensAt: server.url, pageUrl, caFile }, stdout.palette));
    const why = await sink.whyNotReached();
    if (why !== null)
      stderr.write(redactor.redact(renderUnreached(settings.publicUrl ?? '', server.url, why)));
    await aborted(signal);
  } finally {
    await sink.close();
    release();
  }
  print(renderSinkSummary(board.summary, server.refused, settings.har));
  return exitCodes.ok;
}

function renderUnreached(publicUrl: string, listensAt: string, why: string): string {
  return `Warning: ${publicUrl} does not lead to this sink (${why}). Let it lead to ${listensAt}.\n`;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
