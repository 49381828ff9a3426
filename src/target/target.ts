import type { Api } from '../core/operations.ts';
import type { KeyRing } from '../send/keyRing.ts';
import type { Transport } from '../send/transport.ts';
import type { StateHandler } from './stateHandler.ts';

/** A deployment that is ready to be judged, and how to reach it. */
export interface Target {
  readonly kind: 'embedded' | 'url' | 'image';
  readonly baseUrls: Readonly<Record<Api, string>>;
  /** The image that it was started from; undefined for the other kinds. */
  readonly image?: string;
  readonly transport: Transport;
  readonly keys: KeyRing;
  readonly stateHandler: StateHandler;
  /** Whether everything that a request or a state causes is done once it is answered, on one clock of milliseconds. */
  readonly isPrompt?: boolean;
  /** Where the callback sink listens for a target that cannot reach this machine's loopback. */
  readonly sinkHost?: SinkHost;
  /** What the containers of the target have logged so far, in the order of arrival. */
  readonly log?: () => readonly LogLine[];
  /** Why the target is gone, if known. */
  readonly whyLost?: () => string | null;
  /** Stops what was started for the run, and undoes what can be undone. */
  readonly close: () => Promise<void>;
}

/** What a result and a journal note of a target. */
export type NotedTarget = Pick<Target, 'kind' | 'baseUrls' | 'image'>;

/** How a container reaches this machine. */
export interface SinkHost {
  /** Address of this machine for the sink to listen on, with any port. */
  readonly listen: string;
  /** Name of this machine inside the container: the sink's base address there is `http://NAME:PORT`. */
  readonly name: string;
}

/** A line that a container logged. */
export interface LogLine {
  /** Time of its arrival, in epoch milliseconds. */
  readonly at: number;
  readonly container: string;
  readonly text: string;
}
