import type { Clock } from '../core/clock.ts';
import type { Settings } from '../core/settings.ts';
import type { Sink } from '../receive/sink.ts';
import { openSink } from './openSink.ts';
import { openTarget } from './openTarget.ts';
import type { Target } from './target.ts';

export interface TargetAndSink {
  readonly target: Target;
  /** Null where nothing may be subscribed. */
  readonly sink: Sink | null;
  /** Takes what callbacks are still on the wire, and leaves the target as it was found. */
  readonly close: () => Promise<void>;
}

/** Makes the deployment ready to be judged, and stands up the sink that it calls back. */
export async function openTargetAndSink(
  settings: Settings,
  clock: Clock,
  options: { readonly signal?: AbortSignal; readonly notice?: (text: string) => void } = {},
): Promise<TargetAndSink> {
  const target = await openTarget(settings, clock, options);
  try {
    const { notice } = options;
    const sink = await openSink({ settings, target, clock, ...(notice ? { notice } : {}) });
    return {
      target,
      sink,
      close: async () => {
        await sink?.close();
        await target.close();
      },
    };
  } catch (error) {
    await target.close();
    throw error;
  }
}
