import { loadCatalogue } from '../../src/catalogue/loadCatalogue.ts';
import type { Settings } from '../../src/core/settings.ts';
import { VirtualClock } from '../../src/core/virtualClock.ts';
import type { RunEvent } from '../../src/engine/observe/events.ts';
import { openRun, type OpenRun } from '../../src/engine/session/openRun.ts';
import { Session } from '../../src/engine/session/session.ts';
import { readSuites } from '../../src/engine/session/suites.ts';
import { judgeRows } from '../../src/engine/findings/verdicts.ts';
import { mostWidth } from '../../src/engine/session/width.ts';
import { resolveSettings } from '../../src/index.ts';
import { usualWidth } from '../../src/plan/forecast.ts';
import { Inbox, tokensFrom } from '../../src/receive/inbox.ts';
import type { Policy } from '../../src/reference/policy.ts';
import { slowTarget } from '../../src/run/costs/slowTarget.ts';
import { ForecastTeller } from '../../src/run/forecastTeller.ts';
import { planOpen } from '../../src/run/planRun.ts';
import { startEvent } from '../../src/run/run.ts';
import { noJournal } from '../../src/send/journal.ts';
import { KeyRing } from '../../src/send/keyRing.ts';
import { inProcessSink, openInProcessTarget } from '../../src/target/embedded.ts';
import { noStateHandler } from '../../src/target/stateHandler.ts';
import type { Target } from '../../src/target/target.ts';

/** A deployment of this machine, and what a user has of it. */
export interface Case {
  readonly name: string;
  readonly title: string;
  /** Milliseconds of an answer, asked for at each request. */
  readonly answerMs: () => number;
  /** The same of the state handler; none where left out. */
  readonly stateMs?: () => number;
  readonly policy?: Policy;
  /** As many of the primary enterprise; all where left out. */
  readonly keys?: number;
  readonly hasHandler?: boolean;
  readonly hasOther?: boolean;
}

export interface TimedEvent {
  readonly at: number;
  readonly event: RunEvent;
}

export interface Ran {
  /** Virtual milliseconds that it took. */
  readonly ms: number;
  readonly events: readonly TimedEvent[];
  readonly verdicts: ReturnType<typeof judgeRows>;
  /** What the run says of having taken longer; null where it says nothing. */
  readonly late: string | null;
}

const manyKeys = 62;

/** A whole run against the reference in this process, with answers as slow as the case says, in virtual time. */
export async function runCase(one: Case): Promise<Ran> {
  const clock = new VirtualClock(Date.UTC(2026, 6, 15, 9, 30));
  const settings = settingsOf(one);
  const events: TimedEvent[] = [];
  const teller = new ForecastTeller();
  const listener = (event: RunEvent) => {
    events.push({ at: clock.monotonic(), event });
    teller.hear(event);
  };
  await using run = await openCase(one, { settings, clock, listener });
  const checks = await readSuites();
  const plan = planOpen(run, checks);
  const forecast = teller.follow(run, plan);
  const from = clock.monotonic();
  const session = new Session(run, {
    ...{ plan, width: usualWidth(run.target.keys.primary.length), mostWidth },
    onReached: () => run.tell(startEvent(run, plan, forecast.wholeMs, checks)),
  });
  await session.run();
  const ms = clock.monotonic() - from;
  const { outcomes, dialect } = session;
  const verdicts = judgeRows(loadCatalogue().requirements, { checks, outcomes, dialect, pins: {} });
  return { ms, events, verdicts, late: teller.reasonFor(ms) };
}

interface Opening {
  readonly settings: Settings;
  readonly clock: VirtualClock;
  readonly listener: (event: RunEvent) => void;
}

function openCase(one: Case, { settings, clock, listener }: Opening): Promise<OpenRun> {
  const inbox = new Inbox({ clock, newToken: tokensFrom('virtual') });
  return openRun(settings, {
    ...{ id: 'virtual', clock, listener, openJournal: () => noJournal },
    openTarget: async () => {
      const target = await openInProcessTarget({ settings, clock, inbox, policy: one.policy });
      return withMeans(one, slowTarget(target, clock, one));
    },
    openSink: () => {
      const sink = inProcessSink(inbox);
      // Flight Alerts demands a public HTTPS name, which a sink on this machine has not without a handler.
      const urls = one.hasHandler === false ? { ...sink.urls, 'flight-alerts': null } : sink.urls;
      return Promise.resolve({ ...sink, urls });
    },
  });
}

/** As a user has a server of this machine. */
function settingsOf({ keys = manyKeys, hasHandler = true }: Case): Settings {
  const env = { KEYS: Array.from({ length: keys }, (_, index) => `key-of-the-user-${index}`).join() };
  const target = 'http://127.0.0.1:1';
  const stateHandler = hasHandler ? { stateHandler: { url: `${target}/state` } } : {};
  return resolveSettings({ target, ...stateHandler, keys: { primary: 'env:KEYS' }, seed: 1 }, { env });
}

function withMeans({ keys, hasHandler = true, hasOther = true }: Case, target: Target): Target {
  const valuesOf = (role: 'primary' | 'other') => target.keys[role].map(({ value }) => value);
  const few = {
    primary: valuesOf('primary').slice(0, keys),
    other: hasOther ? valuesOf('other') : [],
    special: {},
  };
  return {
    ...target,
    kind: 'url',
    keys: keys === undefined ? target.keys : KeyRing.of(few),
    stateHandler: hasHandler ? target.stateHandler : noStateHandler,
  };
}
