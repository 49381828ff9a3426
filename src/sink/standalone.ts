import { exitCodes, type ExitCode } from '../core/errors.ts';
import { abortOnInterrupt } from '../core/interrupt.ts';
import type { Io } from '../core/io.ts';
import { openStandalone } from './openStandalone.ts';
import type { StandaloneSettings } from './options.ts';
import type { Refused } from '../receive/receiver.ts';
import { plainPalette, type Palette } from '../core/palette.ts';
import { oneLine, shorten } from '../report/text/printable.ts';
import type { AddressView, BoardEntry, CredentialVerdict, News } from './page/news.ts';

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

interface Banner {
  readonly addresses: readonly AddressView[];
  readonly listensAt: string;
  readonly pageUrl: string | null;
  readonly caFile: string | null;
}

/** What `sink` prints at the start: its addresses, and where to look. */
function renderSinkBanner(
  { addresses, listensAt, pageUrl, caFile }: Banner,
  { bold, dim, cyan }: Palette = plainPalette,
): string {
  const width = Math.max(...addresses.map(({ label }) => label.length));
  return [
    bold('Callback addresses'),
    ...addresses.map(
      ({ label, url, answer, expects }) =>
        `  ${label.padEnd(width)}  ${url}  ${dim(`answers ${answer}${expects === null ? '' : `, checks ${expects}`}`)}`,
    ),
    '',
    `Listens on ${listensAt}${caFile === null ? '' : `; clients must trust the authority in ${caFile}`}`,
    ...(pageUrl === null ? [] : [`Page: ${cyan(pageUrl)}`]),
    '',
    dim('Ctrl-C stops it.'),
    '',
  ].join('\n');
}

/** `12:00:03.250  web-check-in  POST  200  X-API-Key match  chk-1: status` */
function renderArrival(entry: BoardEntry, palette: Palette = plainPalette): string {
  const { at, label, method, target, answer, about, credential } = entry;
  const paint = answer.startsWith('2') ? palette.green : palette.yellow;
  const what = label === null ? shorten(target, 100) : about;
  const parts = [
    palette.dim(at.slice(11, 23)),
    label ?? palette.red('unknown path'),
    method,
    paint(answer),
    renderCredential(credential, palette),
    shorten(what, 120),
  ];
  return parts
    .filter((part) => part !== '')
    .map(oneLineOf)
    .join('  ');
}

/** Our colors stay; what came is on one line already, except for line ends. */
function oneLineOf(text: string): string {
  return text.includes('\n') || text.includes('\r') ? oneLine(text) : text;
}

function renderCredential({ status, text }: CredentialVerdict, { green, red, dim }: Palette): string {
  if (status === 'unchecked') return dim(text);
  return status === 'match' ? green(`match ${text}`) : red(`${status}: ${text}`);
}

/** What it prints at the end. */
function renderSinkSummary(
  { addresses, strays }: Pick<News, 'addresses' | 'strays'>,
  refused: Readonly<Refused>,
  harFile: string | null,
): string {
  const width = Math.max(...addresses.map(({ label }) => label.length));
  const lost = Object.values(refused as Readonly<Record<string, number>>).reduce(
    (sum, count) => sum + count,
    0,
  );
  const lines = addresses.map(({ label, count, expects, mismatches }) => {
    const checked = expects === null ? '' : `, ${mismatches} with a wrong or missing ${expects}`;
    return `  ${label.padEnd(width)}  ${count} ${count === 1 ? 'delivery' : 'deliveries'}${checked}`;
  });
  const others = [
    ...(strays > 0 ? [`  ${strays} to unknown paths`] : []),
    ...(lost > 0 ? [`  ${lost} broken off or refused`] : []),
    ...(harFile === null ? [] : [`  ${harFile}`]),
  ];
  return `${[...lines, ...others].join('\n')}\n`;
}
