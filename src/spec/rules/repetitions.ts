import type { Delivery } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { digestOf } from '../../trace/digest.ts';
import type { Said } from '../kernel/violation.ts';
import * as is from '../kernel/value.ts';

/** How often an event came after the sink had answered it with 2xx for the first time. */
interface Taken {
  readonly enterprise: string | null;
  readonly first: Delivery;
  again: Delivery | null;
}

/** Fewer events show no habit. */
const leastEvents = 3;
/** The share of the events that has to come again: a queue delivers one twice now and then. */
const habitShare = 0.5;

/** An answer 2xx without a pause: a sender may have given up waiting for a later one, and rightly sends again. */
const atOnce = /^2\d\d$/;

/** What becomes of an event that was answered 2xx (Events 2): it is not delivered again as a rule. */
export class Repetitions {
  readonly #events = new RecentMap<string, Taken>();

  note(delivery: Delivery, enterprise: string | null): void {
    const body = deliveredObject(delivery);
    if (!body) return;
    const name = `${delivery.registration} ${digestOf(body)}`;
    const known = this.#events.get(name);
    if (known) known.again ??= delivery;
    else if (atOnce.test(delivery.answer))
      this.#events.set(name, { enterprise, first: delivery, again: null });
  }

  /** What is said of each enterprise with enough events. */
  end(): readonly Said[] {
    const owners = Map.groupBy(this.#events.values(), ({ enterprise }) => enterprise);
    return [...owners.values()].flatMap((own): readonly Said[] => {
      if (own.length < leastEvents) return [];
      const repeated = own.filter(({ again }) => again !== null);
      const [{ first, again } = { first: null, again: null }] = repeated;
      const isHabit = repeated.length >= leastEvents && repeated.length >= own.length * habitShare;
      if (!isHabit || !first || !again) return [['WCI-CB-016', null]];
      const want = is.text('one delivery of an event that was answered 2xx');
      const got = is.text(`${repeated.length} of ${own.length} such events delivered again`);
      return [['WCI-CB-016', { code: 'habit', at: 'callback', want, got, because: [first, again] }]];
    });
  }

  get forgotten(): number {
    return this.#events.forgotten;
  }
}
