import type { Clock } from '../../../../core/clock.ts';
import { settlesWithin } from '../../../../core/settlesWithin.ts';
import type { Settings } from '../../../../core/settings.ts';
import { systemClock } from '../../../../core/clock.ts';
import { openRun, type RunPorts } from '../../../../engine/openRun.ts';
import type { EngineCheck } from '../../../../engine/suite.ts';
import { openSink } from '../../../../target/openSink.ts';
import { openTarget } from '../../../../target/openTarget.ts';
import { plainWire, type Wire } from '../../../../wire/wire.ts';
import { inboxBehind, targetBehind } from '../../behindWire.ts';
import { FirstFinding } from '../../firstFinding.ts';
import { judgeOpen, type Judged } from '../../judgeOpen.ts';
import { withoutStates } from '../../setUp.ts';

/** What every run against one target needs. */
export interface TargetPorts {
  readonly settings: Settings;
  readonly checks: readonly EngineCheck[];
  /** Folder that stores when the keys were used, including by other runs. */
  readonly memory: string;
}

interface TargetOptions {
  readonly seed: number;
  readonly among?: ReadonlySet<string> | undefined;
  readonly signal: AbortSignal;
  readonly wire?: (clock: Clock) => Wire;
  readonly without?: readonly string[] | undefined;
}

/** How long closing may take; connections still open after that end with the command. */
const leaveMs = 20_000;

/** Judges somebody's deployment over sockets and in real time, with the keys and budgets of the settings, behind a wire. */
export async function judgeTarget(
  { settings, checks, memory }: TargetPorts,
  options: TargetOptions,
): Promise<Judged> {
  const first = new FirstFinding();
  const run = await openRun({ ...settings, seed: options.seed }, { ...portsFor(options, first), memory });
  try {
    return await judgeOpen(run, { checks, among: options.among, first });
  } finally {
    await settlesWithin(Promise.resolve(run[Symbol.asyncDispose]()), leaveMs);
  }
}

function portsFor(options: TargetOptions, { journal, listener }: FirstFinding): RunPorts {
  const { signal, without = [] } = options;
  const wire = options.wire?.(systemClock) ?? plainWire;
  return {
    ...{ signal, listener },
    openJournal: () => journal,
    openTarget: async (...given) => {
      const target = targetBehind(wire, await openTarget(...given));
      return { ...target, stateHandler: withoutStates(target.stateHandler, without) };
    },
    openSink: (given) => openSink({ ...given, between: (inbox) => inboxBehind(wire, inbox) }),
  };
}
