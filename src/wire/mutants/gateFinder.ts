import type { Interference, Setup } from '../stage.ts';
import { gatePath, statusOf } from './gates.ts';
import type { Place } from './place.ts';
import { repaired, suspectsOf } from './repair.ts';
import type { SeenChange } from './sightings.ts';

/** Inputs of one refused request that are tried, one after the other. */
const mostSuspects = 60;

/**
 * Finds what requests are refused for: each refused one is sent again with one input of a valid one, until one is accepted.
 * What it sends besides changes the deployment, so that nothing else should be learnt from the same run.
 */
export function findGates(stage: Setup, found: (sighting: SeenChange) => void): Interference {
  return {
    exchange: async (passing, pass) => {
      const refused = await pass(passing.request);
      const status = statusOf(refused) ?? 0;
      const about = passing.asked.operation;
      if (about === null || status < 400 || status === 429 || status >= 500) return refused;
      for (const { path, kind } of suspectsOf(passing, stage).slice(0, mostSuspects)) {
        const request = repaired(passing, path, stage);
        if (request === null || statusOf(await pass(request)) !== 200) continue;
        const place: Place = { family: 'gate', about, status, carrier: null, path: gatePath(path, kind) };
        found({ place, traits: passing.traits, kind: null, seen: null });
        break;
      }
      return refused;
    },
  };
}
