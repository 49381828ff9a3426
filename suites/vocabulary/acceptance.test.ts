import { describe, expect, it } from 'vitest';
import { accepted, notAccepted, refusedEitherWay } from './acceptance.ts';
import { exchange, type ExchangeSketch } from '../../test/support/judge/exchanges.ts';

const answer = (sketch: Partial<ExchangeSketch>) => exchange({ operation: 'wci.subscribe', ...sketch });
const error = (status: number, code: string) =>
  answer({ status, body: { success: false, error: code, message: 'no' } });
const taken = answer({ body: { success: true, message: 'ALREADY_SUBSCRIBED' } });
const rejectedIn200 = answer({ body: { success: false, message: 'REJECTED', reason: 'too close' } });
const invalid = error(400, 'VALIDATION_ERROR');
const rejected = error(422, 'REJECTED');
const exhausted = error(402, 'QUOTA_EXHAUSTED');
const conflict = error(409, 'CONFLICT');
const crashed = error(500, 'INTERNAL_ERROR');
const tooMany = error(429, 'RATE_LIMITED');
const lost = answer({ lost: true });

describe('what is made of an answer', () => {
  it.each([
    ['an acceptance', taken, 'holds', 'violated', 'violated'],
    ['a rejection within 200', rejectedIn200, 'violated', 'holds', 'holds'],
    ['400', invalid, 'violated', 'holds', 'holds'],
    ['422', rejected, 'violated', 'holds', 'holds'],
    ['500', crashed, 'violated', 'holds', 'violated'],
    ['402, which may come before the rule', exhausted, 'unclear', 'unclear', 'unclear'],
    ['409, which is about the record', conflict, 'unclear', 'holds', 'violated'],
    ['429', tooMany, 'unclear', 'unclear', 'unclear'],
    ['no answer', lost, 'unclear', 'unclear', 'unclear'],
  ] as const)('%s', (_, one, whenTaken, whenNotTaken, whenRefused) => {
    expect(accepted(one).status).toBe(whenTaken);
    expect(notAccepted(one).status).toBe(whenNotTaken);
    expect(refusedEitherWay(one).status).toBe(whenRefused);
  });
});
