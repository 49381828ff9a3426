import type { Api } from '../core/operations.ts';
import type { KeyRing } from '../send/keyRing.ts';
import type { Transport } from '../send/transport.ts';
import type { StateHandler } from './stateHandler.ts';

/** A deployment that is ready to be judged, and the way to it. */
export interface Target {
  readonly kind: 'embedded' | 'url' | 'image';
  readonly baseUrls: Readonly<Record<Api, string>>;
  readonly transport: Transport;
  readonly keys: KeyRing;
  readonly stateHandler: StateHandler;
  /** Stops what was started for the run, and undoes what can be undone. */
  readonly close: () => Promise<void>;
}
