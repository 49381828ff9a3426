import { passive, suite } from '../../src/engine/suite.ts';
import { rateLimited } from '../../src/judge/shared/rateLimited.ts';

export default suite('Limits', [passive('shared', rateLimited)]);
