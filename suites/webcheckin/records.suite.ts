import { passive, suite } from '../../src/engine/suite.ts';
import { recordIdentity } from '../../src/judge/oracles/recordIdentity.ts';
import { recordShape } from '../../src/judge/oracles/recordShape.ts';
import { recordStates } from '../../src/judge/oracles/recordStates.ts';
import { subscribeAnswer } from '../../src/judge/oracles/subscribeAnswer.ts';
import { updateAnswer } from '../../src/judge/oracles/updateAnswer.ts';

export default suite('Check-in request (attempt)', [
  passive('wci', subscribeAnswer),
  passive('wci', updateAnswer),
  passive('wci', recordShape),
  passive('wci', recordStates),
  passive('wci', recordIdentity),
]);
