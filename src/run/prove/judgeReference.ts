import { systemClock, type Clock } from '../../core/clock.ts';
import type { Api } from '../../core/operations.ts';
import type { Profile, Settings } from '../../core/settings.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import { openRun, type RunPorts } from '../../engine/session/openRun.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import type { Policy } from '../../reference/policy.ts';
import { Inbox, tokensFrom } from '../../receive/inbox.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { inProcessSink, openEmbeddedTarget, openInProcessTarget } from '../../target/embedded.ts';
import { plainWire, type Wire } from '../../wire/json.ts';
import { inboxBehind, targetBehind } from './behindWire.ts';
import { FirstFinding, type Watching } from './firstFinding.ts';
import { judgeOpen, type Judged } from './judgeOpen.ts';
import { sinkFor, targetFor, withoutStates, type SetUp } from './setUp.ts';

interface JudgeOptions extends Watching {
  readonly checks: readonly EngineCheck[];
  readonly policy?: Policy;
  readonly seed?: number;
  readonly profile?: Profile;
  readonly only?: readonly string[];
  /** Only these of the planned checks are run, with their cases of the whole plan; oracles always judge. */
  readonly among?: ReadonlySet<string>;
  /** Whether the explorer goes on after the checks; by default it does not. */
  readonly explores?: boolean;
  readonly apis?: readonly Api[];
  readonly maxRequests?: number;
  /** Uses a real socket and real time. */
  readonly overHttp?: boolean;
  /** Epoch milliseconds at which virtual time starts. */
  readonly startAt?: number;
  /** Ends the run early; what was found until then counts. */
  readonly signal?: AbortSignal;
  /** States that the state handler does not offer. */
  readonly without?: readonly string[];
  /** What the user has in hand: all that the embedded target offers, or less. */
  readonly setUp?: SetUp;
  /** The wire between the checks and the deployment. */
  readonly wire?: (clock: Clock) => Wire;
}

/** Judges the reference in process and in virtual time: a complete run without sockets and waiting. */
export async function judgeReference(options: JudgeOptions): Promise<Judged> {
  const settings = settingsFor(options);
  const first = new FirstFinding(options);
  await using run = await openRun(settings, portsFor(options, settings, first));
  // Awaited here, since returning the promise would close the run before it is judged.
  return await judgeOpen(run, {
    ...{ checks: options.checks, among: options.among, explores: options.explores },
    first,
  });
}

function portsFor(options: JudgeOptions, settings: Settings, { journal, listener }: FirstFinding): RunPorts {
  const {
    policy,
    startAt = defaultStart,
    overHttp = false,
    signal,
    without = [],
    setUp = 'embedded',
  } = options;
  const clock = overHttp ? systemClock : new VirtualClock(startAt);
  const inbox = new Inbox({ clock, newToken: tokensFrom(`proof ${settings.seed}`) });
  const wire = options.wire?.(clock) ?? plainWire;
  const reference = { settings, clock, policy, deploymentClock: wire.clock?.(clock) };
  const open = () =>
    overHttp
      ? openEmbeddedTarget(reference)
      : openInProcessTarget({ ...reference, inbox: inboxBehind(wire, inbox) });
  return {
    ...{ id: `proof-${settings.seed}`, clock, signal, listener },
    openJournal: () => journal,
    openTarget: async () => {
      const target = targetFor(setUp, targetBehind(wire, await open()));
      return { ...target, stateHandler: withoutStates(target.stateHandler, without) };
    },
    openSink: () => Promise.resolve(overHttp ? null : sinkFor(setUp, inProcessSink(inbox))),
  };
}

/** A Wednesday in the middle of a month, far from daylight saving changes. */
const defaultStart = Date.UTC(2026, 6, 15, 9, 30);

/** The settings of a run against the embedded reference. */
function settingsFor({ apis, profile, seed = 1, only, explores, maxRequests }: JudgeOptions): Settings {
  const explore = explores === true ? 'auto' : 'off';
  return resolveSettings(
    { apis: apis && [...apis], profile, seed, only: only && [...only], explore, budgets: { maxRequests } },
    { env: {} },
  );
}
