import {
  type Corruption,
  type Exchange,
  type Judgement,
  answered,
  incomplete,
  invalid,
  isAccepted,
  notAccepted,
  objectOf,
  refusedEitherWay,
} from '../checks.ts';

/** Rules by which only an acceptance is wrong, whatever the refusal looks like. */
const neverAccepted: ReadonlySet<string> = new Set([
  'WCI-SUB-035',
  'WCI-SUB-063',
  'WCI-JRN-005',
  'WCI-JRN-008',
  'WCI-JRN-009',
  'WCI-JRN-010',
]);

/** The refusal of a booking with one fault. */
export function judgeRefusal(rule: string, refusal: Corruption['refusal'], exchange: Exchange): Judgement {
  if (refusal === 'payload') return answered(exchange, invalid);
  return neverAccepted.has(rule) ? notAccepted(exchange) : refusedEitherWay(exchange);
}

/** A missing name is refused by one reading, counted as missing information by the other. */
export function refusedOrIncomplete(exchange: Exchange): Judgement {
  return isAccepted(exchange) ? incomplete(objectOf(exchange)) : answered(exchange, invalid);
}
