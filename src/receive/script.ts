import type { Headers } from '../core/evidence.ts';

/** What the sink does with one delivery. */
export type ScriptedAnswer =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Headers;
      readonly body?: string;
      /** Milliseconds between the last byte of the delivery and the answer; 0 by default. */
      readonly delayMs?: number;
    }
  /** Reads the delivery and never answers it. */
  | { readonly kind: 'silence' }
  /** Reads the delivery and resets the connection. */
  | { readonly kind: 'reset' }
  /** Closes the connection before the body is read. */
  | { readonly kind: 'close-early' };

/** The answer to each delivery in turn; the last one is the answer to all that follow. */
export type Script = readonly [ScriptedAnswer, ...ScriptedAnswer[]];

export function answerStatus(
  code: number,
  rest: { location?: string; delayMs?: number } = {},
): ScriptedAnswer {
  const { location, delayMs } = rest;
  return {
    kind: 'status',
    status: code,
    ...(location === undefined ? {} : { headers: [['location', location]] }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

/** Accepts every delivery at once. */
export const accepting: Script = [answerStatus(200)];

/** The answer to the n-th delivery, counted from 0. */
export function answerAt(script: Script, index: number): ScriptedAnswer {
  return script[Math.min(index, script.length - 1)] ?? script[0];
}

/** `200`, `503 after 2000 ms`, `silence`: as shown in the evidence. */
export function describeAnswer(answer: ScriptedAnswer): string {
  if (answer.kind !== 'status') return answer.kind;
  const { status: code, delayMs = 0 } = answer;
  return delayMs > 0 ? `${code} after ${delayMs} ms` : String(code);
}

/** Whether it confirms to the sender that the delivery was accepted (Web Check-in, Events rule 2). */
export function isAcceptance(answer: ScriptedAnswer): boolean {
  return answer.kind === 'status' && answer.status >= 200 && answer.status < 300;
}
