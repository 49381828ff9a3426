import type { RunEvent } from '../../engine/observe/events.ts';
import { findingStates } from '../../report/states.ts';

type Started = Extract<RunEvent, { name: 'run-started' }>;
type FindingEvent = Extract<RunEvent, { name: 'finding' }>;
export type Severity = FindingEvent['severity'];
type Judged = Extract<RunEvent, { name: 'requirement-judged' }>['status'];

/** What the display knows about a run at one moment; all times in milliseconds of one clock. */
export interface ProgressState {
  readonly run: Started | null;
  readonly startedAt: number;
  readonly judged: Readonly<Record<Judged, number>>;
  /** The requirements with findings so far, with the worst severity; they are judged when all their checks are done. */
  readonly found: ReadonlyMap<string, Severity>;
  readonly sent: number;
  /** The remaining time by the last forecast, and the time of that forecast. */
  readonly forecast: { readonly leftMs: number; readonly at: number };
  /** How many requests had been sent at which time, one entry per second, for the last minute. */
  readonly samples: readonly { readonly at: number; readonly sent: number }[];
  /** Titles of the running checks, by id, the oldest first. */
  readonly running: ReadonlyMap<string, string>;
  /** Current waits, by key. */
  readonly waits: ReadonlyMap<string, Wait>;
  readonly interrupted: boolean;
}

export interface Wait {
  readonly reason: Extract<RunEvent, { name: 'waiting' }>['reason'];
  readonly key: string;
  readonly from: number;
  readonly until: number;
}

export function initialProgress(now: number): ProgressState {
  return {
    run: null,
    startedAt: now,
    judged: {
      pass: 0,
      fail: 0,
      warn: 0,
      observed: 0,
      'not-applicable': 0,
      skipped: 0,
      inconclusive: 0,
    },
    found: new Map(),
    sent: 0,
    forecast: { leftMs: 0, at: now },
    samples: [],
    running: new Map(),
    waits: new Map(),
    interrupted: false,
  };
}

/** The state after one more event. */
export function advanceProgress(state: ProgressState, event: RunEvent, now: number): ProgressState {
  switch (event.name) {
    case 'run-started':
      return { ...state, run: event, startedAt: now, forecast: { leftMs: event.forecastMs, at: now } };
    case 'check-started':
      return { ...state, running: new Map(state.running).set(event.check, event.title) };
    case 'check-finished':
      return { ...state, running: without(state.running, event.check) };
    case 'requirement-judged':
      return { ...state, judged: { ...state.judged, [event.status]: state.judged[event.status] + 1 } };
    case 'exchange':
      return {
        ...state,
        sent: state.sent + 1,
        samples: sampled(state, now),
      };
    case 'forecast':
      return { ...state, forecast: { leftMs: event.leftMs, at: now } };
    case 'waiting':
      return { ...state, waits: waitingOn(state.waits, event, now) };
    case 'interrupted':
      return { ...state, interrupted: true };
    case 'finding':
      return { ...state, found: foundSoFar(state.found, event) };
    case 'open-point-observed':
    case 'callback':
    case 'callback-awaited':
    case 'state-set':
    case 'notice':
    case 'run-finished':
      return state;
  }
}

/** Requests sent in the last minute; null if the run is younger. */
export function pacePerMinute({ samples, sent }: ProgressState, now: number): number | null {
  const before = samples.findLast(({ at }) => at <= now - minute);
  return before === undefined ? null : sent - before.sent;
}

/** Whether this requirement was already seen in this state or a worse one. */
export function isKnown({ found }: ProgressState, { requirement, severity }: FindingEvent): boolean {
  const known = found.get(requirement);
  return known !== undefined && rank(known) <= rank(severity);
}

const minute = 60_000;
const second = 1000;

function foundSoFar(found: ProgressState['found'], { requirement, severity }: FindingEvent) {
  const known = found.get(requirement);
  if (known !== undefined && rank(known) <= rank(severity)) return found;
  return new Map(found).set(requirement, severity);
}

/** The worst first, as in reports. */
function rank(severity: Severity): number {
  return findingStates.indexOf(severity);
}

function sampled({ samples, sent }: ProgressState, now: number): ProgressState['samples'] {
  const last = samples.at(-1);
  if (last !== undefined && now - last.at < second) return samples;
  return [...samples.filter(({ at }) => at > now - minute - 2 * second), { at: now, sent }];
}

function waitingOn(
  waits: ProgressState['waits'],
  { reason, key, ms }: Extract<RunEvent, { name: 'waiting' }>,
  now: number,
): ProgressState['waits'] {
  const open = new Map([...waits].filter(([, { until }]) => until > now));
  return open.set(key, { reason, key, from: now, until: now + ms });
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
