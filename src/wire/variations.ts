import { createRandom, deriveSeed } from '../core/random.ts';
import type { Clock } from '../core/clock.ts';
import { callbackVariations } from './variations/callbacks.ts';
import { httpVariations } from './variations/http.ts';
import { jsonVariations } from './variations/json.ts';
import { setVariations } from './variations/sets.ts';
import { textVariations } from './variations/texts.ts';
import { timeVariations } from './variations/time.ts';
import type { Variation } from './variations/variation.ts';
import type { Wire } from './json.ts';

export type { Variation } from './variations/variation.ts';

/** Everything that must not matter. */
export const variations: readonly Variation[] = [
  ...jsonVariations,
  ...httpVariations,
  ...timeVariations,
  ...callbackVariations,
  ...textVariations,
  ...setVariations,
];

/** The wire of a variation; the same seed draws the same changes for the same traffic. */
export function wireOf(variation: Variation, seed: number, clock: Clock): Wire {
  return variation.wire({ clock, random: createRandom(deriveSeed(seed, `variation/${variation.id}`)) });
}
