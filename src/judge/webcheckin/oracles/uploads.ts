import type { Exchange } from '../../../core/evidence.ts';
import * as is from '../../../spec/kernel/value.ts';
import { responseOf, valueNamed } from '../../../trace/body.ts';
import { callOf, type Call } from '../../../trace/call.ts';
import { brokenIn } from '../../../trace/parts.ts';
import {
  answered,
  answeredOtherThan,
  answeredOtherwise,
  invalid,
  isAccepted,
  isRejectedMessage,
  rejected,
} from '../../kernel/answer.ts';
import { holds, type Judgement } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOf, type Sample } from '../../kernel/sample.ts';

/** What no service can read, or find a check-in by, in a body of parts. */
export const uploads: Oracle = {
  id: 'uploads',
  title:
    'A body of parts that cannot be read is refused, and so is an upload without the name of its check-in',
  verifies: ['WCI-MP-004', 'WCI-MP-014', 'WCI-MP-016'],
  operations: ['wci.subscribe', 'wci.update'],
  createWatch: () => ({
    exchange: (exchange) => {
      const call = callOf(exchange);
      if (call?.keyState !== 'active') return noSamples;
      return call.carrier === 'unread' ? judgeUnread(call) : judgeName(call);
    },
  }),
};

const parserFailure = { status: 500, code: 'INTERNAL_ERROR' };
/** Found before a body is read, or in front of the API. */
const otherwise: readonly number[] = [401, 402, 403, 404, 409, 429];

function judgeUnread({ exchange, body: object }: Call): readonly Sample[] {
  const { body, headers } = exchange.request;
  const length = valueNamed(headers, 'content-length') ?? String(body?.length);
  // A recording may have lost the end of a body.
  if (object !== null || body === null || length !== String(body.length)) return noSamples;
  const broken = brokenIn(body, valueNamed(headers, 'content-type') ?? '');
  if (!broken || otherwise.includes(responseOf(exchange)?.status ?? 0)) return noSamples;
  const { part } = broken;
  if (part === 'callbackData' && isRejectedMessage(exchange)) return [sampleOf('WCI-MP-004', holds)];
  // A callback that fails its validation may be refused like any other that does (Errors).
  const taken = part === 'callbackData' ? [invalid, parserFailure, rejected] : [invalid, parserFailure];
  return sampled(part === null ? 'WCI-MP-016' : 'WCI-MP-004', answered(exchange, ...taken));
}

/** Uploads need the id of the check-in; with which status they are refused without it is not said. */
function judgeName({ op, exchange, files, body }: Call): readonly Sample[] {
  const { checkin_id: id, webcheckin_id: alias, booking_id: booking } = body ?? {};
  const isUpload = op === 'wci.update' && files.length > 0;
  if (!isUpload || booking === undefined || id !== undefined || alias !== undefined) return noSamples;
  return sampled('WCI-MP-014', isAccepted(exchange) ? taken(exchange) : answeredOtherThan(exchange));
}

function taken(exchange: Exchange): Judgement {
  const want = is.refusedFor('booking_id', 'beside a file, without the id of a check-in');
  return answeredOtherwise(exchange, want);
}

function sampled(rule: string, judgement: Judgement): readonly Sample[] {
  return judgement.status === 'unclear' ? noSamples : [sampleOf(rule, judgement)];
}
