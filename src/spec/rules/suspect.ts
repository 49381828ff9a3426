import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { textOf } from '../grammar/form.ts';
import type { Violation } from '../kernel/findings.ts';
import type * as is from '../kernel/value.ts';
import type { Flight, Flights } from '../world/flights.ts';

/** A rule that an answer breaks, if what it rests on is true. */
export interface Suspect extends Violation {
  /** What an answer must have shown for it to hold: a handler may not do what it says. */
  readonly needs: keyof Flights['shows'] | null;
  /** The number and date of the flight that it is about; null where steps of any may matter. */
  readonly flight: string | null;
}

/** Takes note of rules whose condition arose, and that an answer was seen to keep. */
export type Show = (...rules: readonly string[]) => void;

/** A suspect of an answer about a flight, with the step that made it so. */
export function suspect(
  { call, flight }: { readonly call: Call; readonly flight?: Flight },
  rule: string,
  what: Pick<Violation, 'at' | 'want' | 'got'>,
  needs: Suspect['needs'] = 'put',
): Suspect {
  const by = flight?.states.at(-1)?.by;
  const because = [...(by ? [by] : []), call.exchange];
  return { rule, code: 'known:flight', ...what, because, needs, flight: flight?.name ?? null };
}

/** The error code of an answer. */
export function codeOf({ answer }: Call): string | null {
  return isObject(answer) && typeof answer.error === 'string' ? answer.error : null;
}

/** What came, with the words that tell a refusal from others. */
export function answerOf({ status, answer }: Call): is.Value {
  const { error, message, reason } = isObject(answer) ? answer : {};
  const [code, told, given] = [error, message, reason].map((text) => textOf(text).slice(0, longest));
  const why = given === '' ? (code ? told : '') : given;
  return {
    ...{ kind: 'answer', status: status ?? 0 },
    ...(code ? { code } : told ? { message: told } : {}),
    ...(why && { reason: why }),
  };
}

/** Characters of what an answer says. */
const longest = 200;
