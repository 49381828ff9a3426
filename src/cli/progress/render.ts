import type { RunEvent } from '../../engine/observe/events.ts';
import { type Palette, plainPalette } from '../../core/palette.ts';
import { formatDuration } from '../../report/text/format.ts';
import { oneLine, shorten } from '../../report/text/printable.ts';
import { stateText, stateTexts } from '../../report/states.ts';
import { pacePerMinute, type ProgressState, type Severity, type Wait } from './state.ts';
import type { Output } from '../../core/io.ts';

/** The block that a terminal shows during a run: one line for each subject, none longer than the terminal is wide. */
export function renderProgress(
  state: ProgressState,
  now: number,
  { columns, palette = plainPalette }: { readonly columns: number; readonly palette?: Palette },
): readonly string[] {
  if (state.run === null) return [];
  const fit = (text: string) => shortened(oneLine(text), columns - 1);
  if (state.interrupted)
    return [fit(judgedText(state)), palette.yellow(fit('stopping; writing the reports'))];
  return [
    fit(barText(state, now)),
    fit(judgedText(state)),
    palette.dim(fit(requestsText(state, now))),
    ...waitLines(state, now).map((text) => palette.yellow(fit(text))),
    ...runningLines(state).map((text) => palette.dim(fit(text))),
  ];
}

/** The same on one line, for output that is not a terminal. */
export function renderStatusLine(state: ProgressState, now: number): string {
  const elapsed = time(now - state.startedAt);
  const waits = waitLines(state, now).slice(0, 1);
  return [elapsed, judgedText(state), requestsText(state, now), timeText(state, now), ...waits].join(' · ');
}

/** The permanent line for an event; null for what only the block shows. */
export function renderEvent(event: RunEvent, palette: Palette = plainPalette): string | null {
  switch (event.name) {
    case 'run-started':
      return startText(event);
    case 'finding':
      return `${findingMark(event.severity, palette)} ${palette.bold(event.requirement)} ${palette.dim(event.check)} ${oneLine(shorten(ruleOf(event.message), 300))}`;
    case 'notice':
      return `${palette.cyan('note')} ${oneLine(event.text)}`;
    case 'interrupted':
      return palette.yellow('interrupted: stopping and writing the reports; interrupt again to end at once');
    case 'waiting':
      return event.ms > longWait ? `waiting ${time(event.ms)} ${reasonText(event.reason, event.key)}` : null;
    case 'check-started':
    case 'check-finished':
    case 'requirement-judged':
    case 'open-point-observed':
    case 'exchange':
    case 'callback':
    case 'callback-awaited':
    case 'forecast':
    case 'state-set':
    case 'run-finished':
      return null;
  }
}

/** The line of an exchange or a callback; none for other events. */
export function renderTraffic(event: RunEvent, palette: Palette = plainPalette): readonly string[] {
  if (event.name === 'callback')
    return [`${palette.dim(event.id)}  callback  answered ${oneLine(event.answer)}`];
  if (event.name !== 'exchange') return [];
  const { id, request, key, status, durationMs } = event;
  const paint = status === null ? palette.red : status < 400 ? palette.green : palette.yellow;
  const outcome = paint(status === null ? 'no answer' : String(status));
  const words = [palette.dim(id), oneLine(shorten(request, 200)), palette.dim(key ?? 'no key'), outcome];
  return [`${words.join('  ')}  ${palette.dim(`${Math.round(durationMs)} ms`)}`];
}

function startText(event: Extract<RunEvent, { name: 'run-started' }>): string {
  const takes = `about ${time(Math.max(1000, roundUp(event.forecastMs)))}`;
  const size = `${event.checks} checks, about ${event.plannedRequests} requests, ${takes}`;
  return `run ${event.runId} · ${oneLine(event.target)} · seed ${event.seed} · ${size}`;
}

const longWait = 5000;

/** The rule without expected and actual values: the end of the run shows both, with the steps. */
function ruleOf(message: string): string {
  return message.split(' Expected ')[0] ?? message;
}

function findingMark(severity: Severity, palette: Palette): string {
  return (severity === 'fail' ? palette.red : palette.yellow)(stateText(severity));
}

function judgedText({ judged: settled, found, run }: ProgressState): string {
  const soFar = (severity: Severity) => [...found.values()].filter((one) => one === severity).length;
  const judged = {
    ...settled,
    fail: Math.max(settled.fail, soFar('fail')),
    warn: Math.max(settled.warn, soFar('warn')),
    inconclusive: Math.max(settled.inconclusive, soFar('inconclusive')),
  };
  const total = Object.values(settled).reduce((sum, count) => sum + count, 0);
  const named = (['fail', 'warn', 'inconclusive', 'skipped'] as const)
    .filter((status) => judged[status] > 0)
    .map((status) => `${judged[status]} ${stateTexts[status].counted}`);
  return [`${total} of ${run?.requirements ?? 0} requirements`, `${judged.pass} passed`, ...named].join(
    ' · ',
  );
}

function requestsText(state: ProgressState, now: number): string {
  const planned = Math.max(state.run?.plannedRequests ?? 0, state.sent);
  const pace = pacePerMinute(state, now);
  return `${state.sent} of about ${planned} requests${pace === null ? '' : `, ${pace} in the last minute`}`;
}

/** How long it still takes, by the forecast. */
function leftMs(state: ProgressState, now: number): number {
  const { leftMs: told, at } = state.forecast;
  return Math.max(0, told - (now - at));
}

function timeText(state: ProgressState, now: number): string {
  const left = leftMs(state, now);
  return left === 0 ? 'longer than forecast' : `about ${time(Math.max(1000, roundUp(left)))} left`;
}

const barWidth = 24;

/** Progress in time: a bar, the share, the time passed and the time left. */
function barText(state: ProgressState, now: number): string {
  const elapsed = now - state.startedAt;
  const left = leftMs(state, now);
  const share = elapsed + left === 0 ? 1 : elapsed / (elapsed + left);
  const full = Math.min(barWidth, Math.round(share * barWidth));
  const percent = `${Math.min(99, Math.floor(share * 100))} %`;
  const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`;
  return `${bar} ${percent} · ${elapsed < 1000 ? '0 s' : time(Math.floor(elapsed / 1000) * 1000)} · ${timeText(state, now)}`;
}

/** A duration without an empty fraction: `13 s`. */
function time(ms: number): string {
  return formatDuration(ms).replace('.0 s', ' s');
}

function roundUp(ms: number): number {
  const step = ms < 60_000 ? 1000 : 10_000;
  return Math.ceil(ms / step) * step;
}

function waitLines({ waits }: ProgressState, now: number): readonly string[] {
  const open = [...waits.values()].filter(({ until }) => until > now).sort((a, b) => a.until - b.until);
  const [first] = open;
  if (first === undefined) return [];
  const who = open.length > 1 ? `${first.key} and ${open.length - 1} more` : first.key;
  const left = time(Math.ceil((first.until - now) / 1000) * 1000);
  return [`waiting ${left} more of ${time(first.until - first.from)} ${reasonText(first.reason, who)}`];
}

function reasonText(reason: Wait['reason'], who: string): string {
  switch (reason) {
    case 'pace':
      return `for the rate limits (${who})`;
    case 'retry-after':
      return `as a 429 asked (${who})`;
    case 'key-refused':
      return `before a refused key is tried again (${who})`;
  }
}

function runningLines({ running }: ProgressState): readonly string[] {
  const [first] = running;
  if (first === undefined) return [];
  const more = running.size > 1 ? ` (and ${running.size - 1} more)` : '';
  return [`${first[0]}  ${first[1]}${more}`];
}

function shortened(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** Lines at the bottom of a terminal that are redrawn; printed text goes above them. */
interface Block {
  readonly draw: (lines: readonly string[]) => void;
  readonly print: (line: string) => void;
}

/** A thin writer: it knows how many lines are below, but not what they say. */
export function createBlock(output: Pick<Output, 'write'>): Block {
  let drawn: readonly string[] = [];
  const erase = () => (drawn.length === 0 ? '' : `\u001b[${drawn.length}F\u001b[0J`);
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  return {
    draw: (lines) => {
      if (lines.join('\n') === drawn.join('\n')) return;
      output.write(`${erase()}${text(lines)}`);
      drawn = lines;
    },
    print: (line) => output.write(`${erase()}${line}\n${text(drawn)}`),
  };
}
