import { html, type Html } from '../html/html.ts';
import { formatDuration, plural } from '../text/format.ts';
import { shorten } from '../text/printable.ts';
import { changedPaths, valuesAt } from './changes.ts';
import type { Moment } from './moments.ts';

const lanes = ['Set by the state handler', 'Polled', 'Callbacks'] as const;
const left = 186;
const laneHeight = 46;
const foot = 40;
/** Most space that a pause may add to what the texts need. */
const mostPause = 150;
const mostCharacters = 26;
const mostEvents = 24;

interface Event {
  readonly at: number;
  readonly id: string;
  readonly lane: 0 | 1 | 2;
  readonly text: string;
}

/**
 * What polling and callbacks said, next to each other over time: shows at once if a callback is late, missing or contradicts the
 * record. Null if no callback is part of the case.
 */
export function renderCallbackTimeline(moments: readonly Moment[], decisive: string | null): Html | null {
  const all = eventsOf(moments);
  const callbacks = all.filter(({ lane }) => lane === 2);
  if (callbacks.length === 0 || all.length < 2) return null;
  const events = all.slice(-mostEvents);
  const places = placed(events);
  const start = events[0]?.at ?? 0;
  const width = (places.at(-1) ?? 0) + roomFor(events.at(-1));
  const height = lanes.length * laneHeight;
  const y = (lane: number) => lane * laneHeight + laneHeight / 2 + 4;
  const title = `${plural(callbacks.length, 'callback')} next to what was polled, over ${formatDuration((events.at(-1)?.at ?? start) - start)}`;
  return html`<figure class="callbacks">
    <figcaption>
      ${title}${all.length > events.length ? `; the last ${events.length} of ${all.length} events` : ''}
    </figcaption>
    <div class="sequence" tabindex="0" role="region" aria-label="${title}">
      <svg
        viewBox="0 0 ${width} ${height + foot}"
        width="${width}"
        role="img"
        aria-label="${describe(events, start)}"
      >
        ${lanes.map(
          (name, lane) =>
            html`<text class="lane" x="0" y="${y(lane) + 4}">${name}</text>
              <path class="life" d="M${left - 12} ${y(lane)}H${width}" />`,
        )}
        ${events.map((event, index) =>
          renderEvent(event, {
            x: places[index] ?? 0,
            y: y(event.lane),
            isDecisive: event.id === decisive,
            after: event.at - start,
          }),
        )}
        ${events.map((event, index) =>
          event.at === events[index - 1]?.at
            ? null
            : html`<path class="life" d="M${places[index] ?? 0} ${height}v6" />
                <text class="tick" x="${places[index] ?? 0}" y="${height + 20}"
                  >+${formatDuration(event.at - start)}</text
                >`,
        )}
        <text class="tick" x="0" y="${height + 20}">time since the first</text>
      </svg>
    </div>
  </figure>`;
}

function renderEvent(
  { id, lane, text }: Event,
  { x, y, isDecisive, after }: { x: number; y: number; isDecisive: boolean; after: number },
): Html {
  const tone = isDecisive ? 'fail' : lane === 2 ? 'pass' : 'calm';
  const mark = lane === 2 ? `M${x} ${y - 6}l7 6l-7 6z` : `M${x} ${y - 5}h6v10h-6z`;
  return html`<g class="arrow ${tone}">
    <title>${id}, ${formatDuration(after)} after the first: ${shorten(text, 300)}</title>
    <path class="head" d="${mark}" />
    <text x="${x}" y="${y - 10}">${cut(text)}</text>
  </g>`;
}

/** Positions in the order of time, as far apart as their texts need and pauses show. */
function placed(events: readonly Event[]): readonly number[] {
  const longest = Math.max(1, ...events.map(({ at }, index) => at - (events[index - 1]?.at ?? at)));
  let x = left;
  return events.map(({ at }, index) => {
    const before = events[index - 1];
    if (before !== undefined) x += roomFor(before) + ((at - before.at) / longest) * mostPause;
    return Math.round(x);
  });
}

function roomFor(event: Event | undefined): number {
  return Math.max(80, Math.min(event?.text.length ?? 0, mostCharacters) * 7.4 + 16);
}

function describe(events: readonly Event[], start: number): string {
  return events
    .map(
      ({ at, lane, text }) =>
        `after ${formatDuration(at - start)} ${lanes[lane].toLowerCase()}: ${shorten(text, 80)}`,
    )
    .join('; ');
}

/** For the members that callbacks of the case are about: what was set, polled and called back. */
function eventsOf(moments: readonly Moment[]): readonly Event[] {
  const paths = changedPaths(moments);
  return moments.flatMap((moment): Event[] => {
    const text = textOf(moment, paths);
    if (text === null) return [];
    return [{ at: moment.at, id: moment.id, lane: laneOf(moment), text }];
  });
}

function laneOf({ kind }: Moment): Event['lane'] {
  if (kind === 'delivery') return 2;
  return kind === 'state' ? 0 : 1;
}

const tellingStates: ReadonlySet<string> = new Set(['checkin.progress', 'flights.change', 'flights.put']);

function textOf(moment: Moment, paths: readonly string[]): string | null {
  const values = valuesAt(moment, paths);
  if (moment.kind === 'delivery') return values || 'no change reported';
  if (moment.kind === 'state')
    return tellingStates.has(moment.line.data.state) ? values || moment.line.data.state : null;
  return values || null;
}

function cut(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}
