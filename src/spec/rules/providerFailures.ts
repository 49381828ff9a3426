import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import * as is from '../kernel/value.ts';
import { type Flights, keptMs } from '../world/flights.ts';
import { answerOf, codeOf, suspect, type Show, type Suspect } from './suspect.ts';

const failures: Readonly<Record<string, readonly [code: string, lookup: string, subscribe: string]>> = {
  unavailable: ['PROVIDER_UNAVAILABLE', 'FLA-GET-032', 'FLA-SUB-027'],
  'invalid-data': ['INVALID_PROVIDER_DATA', 'FLA-GET-033', 'FLA-SUB-038'],
  subscription: ['SUBSCRIPTION_FAILED', 'FLA-GET-080', 'FLA-SUB-025'],
};

interface Failing {
  readonly mode: string;
  /** Whether its flight was made, and nobody asked about it before. */
  readonly isFresh: boolean;
}

/** What comes of a failing upstream; one that is kept may still be shown, and a gateway fails in its own way. */
export function judgeFailing(call: Call, { mode, isFresh }: Failing, show: Show): readonly Suspect[] {
  const [code, lookup, subscribe] = failures[mode] ?? [];
  const isLookup = call.op === 'fla.lookup';
  const isTracking = mode === 'subscription' && isLookup;
  const rule = (isLookup ? lookup : subscribe) ?? '';
  const isKept = isTracking ? call.status === 200 : call.status === 502 && codeOf(call) === code;
  if (isKept) show(rule);
  const isApi = isObject(call.answer) && typeof call.answer.error === 'string';
  // What nobody has subscribed to needs the confirmation.
  const isUnconfirmed = mode === 'subscription' && !isLookup && isFresh && call.status === 200;
  if (isUnconfirmed)
    return [
      suspect({ call }, rule, { at: 'answer', want: is.refusal(502, code ?? ''), got: answerOf(call) }, null),
    ];
  if (code === undefined || call.status === null || call.status < 500 || !isApi) return [];
  if (isKept) return [];
  const want = isTracking ? 'a lookup, which needs no tracking' : is.refusal(502, code);
  const what = { at: 'answer', want, got: answerOf(call) };
  return [suspect({ call }, rule, what, null)];
}

/** Whether upstream has worked for so long that nothing is kept of its failure. */
export function hasRecovered(call: Call, { failure, workingSince }: Flights): boolean {
  return failure === null && workingSince > 0 && call.sentAt >= workingSince + keptMs;
}
