import type { Clock } from '../../core/clock.ts';
import type { Wire } from '../json.ts';

/** What a variation is made with. */
export interface Making {
  /** Drawn from the seed; the same seed gives the same changes for the same traffic. */
  readonly random: () => number;
  /** The harness's own clock. */
  readonly clock: Clock;
}

/** A law of the wire: for every conforming server, the varied server conforms as well. */
export interface Variation {
  readonly id: string;
  readonly family: 'json' | 'http' | 'time' | 'texts' | 'sets' | 'luck';
  /** Why a server that is varied so conforms as it did before. */
  readonly law: string;
  readonly wire: (making: Making) => Wire;
  /** States that the deployment does not offer while it is varied, because they say what the variation changes. */
  readonly without?: readonly string[];
}
