import { oracles, passive, suite } from '../checks.ts';

export default suite('Limits', [
  passive('shared', oracles.rateLimited),
  passive('shared', oracles.keptLimits),
]);
