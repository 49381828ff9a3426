import { boundsFor, documentedLog } from '../models.ts';
import type { Explain } from './wider.ts';

const fewest = 2;
const most = 8;

/**
 * The documented log, once in each of several instances behind a balancer that distributes requests at random. One instance is
 * full a little before all are, by at most a few standard deviations.
 */
export const instances: Explain = ({ decisions, window }) => {
  const { limit } = window;
  const bounds = boundsFor(documentedLog, decisions, window);
  for (let count = fewest; count <= most; count += 1) {
    const all = count * limit;
    const isFilled = bounds.least > (count - 1) * limit && bounds.least <= all;
    if (!isFilled || bounds.most < all - 4 * Math.sqrt(all) || bounds.most < limit) continue;
    return {
      id: 'instances',
      name: `rolling log of ${limit} in each of ${count} instances`,
      like: 'instances behind a balancer that count for themselves',
    };
  }
  return null;
};
