import type { CheckContext } from '../checks.ts';
import { listed } from './listing.ts';

interface AttemptCount {
  /** Whether as many attempts were made as these steps made; only called if the units are not as expected. */
  rose(units: number | null, wanted: number, made: number): Promise<boolean>;
}

/** Distinguishes units used by others from those that the deployment wrongly charges. */
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
