import type { CheckContext } from '../checks.ts';
import { listed } from './listing.ts';

interface AttemptCount {
  /** Whether as many attempts were made since as these steps made; asked only where the units are not as they should be. */
  rose(units: number | null, wanted: number, made: number): Promise<boolean>;
}

/** Tells units that others take from those that the deployment takes wrongly. */
export async function countAttempts(t: CheckContext): Promise<AttemptCount> {
  const { total } = await listed(t, { limit: '1' });
  return {
    rose: async (units, wanted, made) => {
      if (units === wanted) return true;
      for (const pause of [0, 1000, 3000]) {
        await t.sleep(pause);
        if ((await listed(t, { limit: '1' })).total - total === made) return true;
      }
      return false;
    },
  };
}
