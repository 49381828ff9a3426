import { passive, suite } from '../../src/engine/suite.ts';
import { recordIdentity } from '../../src/judge/webcheckin/oracles/recordIdentity.ts';
import { recordShape } from '../../src/judge/webcheckin/oracles/recordShape.ts';
import { recordStates } from '../../src/judge/webcheckin/oracles/recordStates.ts';
import { subscribeAnswer } from '../../src/judge/webcheckin/oracles/subscribeAnswer.ts';
import { updateAnswer } from '../../src/judge/webcheckin/oracles/updateAnswer.ts';

export default suite('Check-in request (attempt)', [
  passive('wci', subscribeAnswer),
  passive('wci', updateAnswer),
  passive('wci', recordShape),
  passive('wci', recordStates),
  passive('wci', recordIdentity),
]);
