import { isDelivery, type Evidence } from '../core/evidence.ts';
import type { Violation } from '../judge/kernel/sample.ts';
import { eventOf } from '../spec/world/webhookEvent.ts';
import { memberOf } from '../trace/body.ts';

/** How many situations are told of what happened to one record. */
const mostTold = 6;

/** By which situations of the explorer exchanges and records came about, so that what they showed can be shown again. */
export class Stories {
  readonly #told = new Map<string, readonly string[]>();

  /** `of` is the id of an exchange, or of a record. */
  tell(of: string, story: readonly string[]): void {
    this.#told.set(of, story);
  }

  /** What has to be brought about for a violation; nothing where the explorer had no part in it. */
  of({ evidence }: Pick<Violation, 'evidence'>): readonly string[] {
    const told = evidence.map(({ id }) => this.#told.get(id) ?? []).find(({ length }) => length > 0);
    const [record] = evidence.flatMap(recordIn);
    return told ?? this.#told.get(record ?? '')?.slice(0, mostTold) ?? [];
  }
}

/** The records that a violation is about, by what it rests on. */
export function recordsOf({ evidence, judgement }: Violation): readonly string[] {
  const seen = (judgement.because ?? []).filter(
    (one): one is Evidence => 'request' in one || 'registration' in one,
  );
  return [...new Set([...seen, ...evidence].flatMap(recordIn))];
}

function recordIn(one: Evidence): readonly string[] {
  const id = isDelivery(one)
    ? eventOf(one)?.checkinId
    : (memberOf(one, 'checkin_id') ?? memberOf(one, 'data', 'checkin_id'));
  return typeof id === 'string' ? [id] : [];
}
