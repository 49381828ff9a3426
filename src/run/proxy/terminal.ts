import { plainPalette, type Palette } from '../../core/palette.ts';
import { isPublicHttps } from '../../plan/sinkReach.ts';
import { plural } from '../../report/text/format.ts';
import { oneLine, shorten } from '../../report/text/printable.ts';
import type { PassedView } from '../../sink/page/proxyNews.ts';
import type { StandingProxy } from './proxy.ts';

/** What `proxy` says when it stands. */
export function renderProxyBanner(
  { url, pageUrl, callbacksUrl }: Pick<StandingProxy, 'url' | 'pageUrl' | 'callbacksUrl'>,
  { target, palette: { bold, cyan, dim } }: { readonly target: string; readonly palette: Palette },
): string {
  return [
    `${bold(url)} forwards to ${target}: give it to your client as base URL.`,
    ...(callbacksUrl === null ? [] : [`Callbacks come to ${callbacksUrl} and go on to the client.`]),
    ...(callbacksUrl === null || isPublicHttps(callbacksUrl)
      ? []
      : [
          'Those of Flight Alerts go straight to the client: they need --sink-public-url with a public HTTPS name.',
        ]),
    ...(pageUrl === null ? [] : [`Page: ${cyan(pageUrl)}`]),
    '',
    dim('Ctrl-C ends it and writes the reports.'),
    '',
  ].join('\n');
}

/** `12:00:03.250  wci.subscribe  200  84 ms  WCI-SUB-001 …` */
export function renderPassed(view: PassedView, palette: Palette = plainPalette): string {
  const { at, kind, what, key, answer, ms, notes, violated } = view;
  const paint = answer.startsWith('2') ? palette.green : palette.yellow;
  const broken = violated.map(({ id, title }) => palette.red(`${id} ${shorten(title, 80)}`));
  return [
    palette.dim(at.slice(11, 23)),
    kind === 'callback' ? `callback ${shorten(what, 80)}` : shorten(what, 100),
    key,
    paint(shorten(answer, 40)),
    palette.dim(`${ms} ms`),
    ...notes.map((note) => palette.yellow(note)),
    ...broken,
  ]
    .filter((part) => part !== '')
    .map((part) => (/[\r\n]/.test(part) ? oneLine(part) : part))
    .join('  ');
}

/** What passed, and what the client did that the documents ask it not to do. */
export function renderProxySummary({
  counts,
  clientFaults,
}: Pick<StandingProxy, 'counts' | 'clientFaults'>): string {
  const { requests, callbacks, violated, struck, unrecorded } = counts;
  const lines = [
    `${plural(requests, 'request')} and ${plural(callbacks, 'callback')} passed; ${violated} broke a rule; faults struck ${plural(struck, 'time')}.`,
    ...(unrecorded > 0 ? [`${unrecorded} of them were neither recorded nor judged.`] : []),
    ...[...clientFaults].map(
      ([what, count]) => `Client: ${what}, ${count} ${count === 1 ? 'time' : 'times'}.`,
    ),
  ];
  return `\n${lines.join('\n')}\n`;
}
