import type { Delivery } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { digestOf } from '../../trace/digest.ts';
import type { Step } from '../../trace/evidence.ts';
import type { Said, Wrong } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import type { Arrival } from '../world/hookedRecord.ts';

/** What came of an event after the sink had answered it with 2xx for the first time. */
interface Taken {
  readonly enterprise: string | null;
  readonly first: Arrival;
  again: readonly Arrival[];
}

/** Fewer events show no habit. */
const leastEvents = 3;
/** The share of the events that has to come again: a queue delivers one twice now and then. */
const habitShare = 0.5;

/** An answer 2xx without a pause: a sender may have given up waiting for a later one, and rightly sends again. */
const atOnce = /^2\d\d$/;

/** Equal events that are told within a second of the deployment's time may be several. */
const apartMs = 1_000;

/** A queue delivers an event twice now and then, and not more often. */
function isRepeated({ first, again }: Taken): boolean {
  return again.filter((one) => timeOf(one) > timeOf(first) + apartMs).length > 1;
}

function timeOf({ delivery, movedMs }: Arrival): number {
  return delivery.receivedAt + movedMs;
}

/** What becomes of an event that was answered 2xx (Events 2): it is not delivered again as a rule. */
export class Repetitions {
  readonly #events = new RecentMap<string, Taken>();
  #movedMs = 0;

  step({ movedMs }: Step): void {
    this.#movedMs = movedMs;
  }

  note(delivery: Delivery, enterprise: string | null): void {
    const body = deliveredObject(delivery);
    if (!body) return;
    const name = `${delivery.registration} ${digestOf(body)}`;
    const known = this.#events.get(name);
    const one = { delivery, movedMs: this.#movedMs };
    if (known) known.again = [...known.again, one].slice(0, 8);
    else if (atOnce.test(delivery.answer)) this.#events.set(name, { enterprise, first: one, again: [] });
  }

  /** What is said of each enterprise with enough events. */
  end(): readonly Said[] {
    const owners = Map.groupBy(this.#events.values(), ({ enterprise }) => enterprise);
    return [...owners.values()].flatMap((own): readonly Said[] => {
      const repeated = own.filter(isAgain);
      const tried = repeated.find(isRepeated);
      const isHabit = repeated.length >= leastEvents && isMostly(own);
      const once: Said = ['WCI-CB-081', null];
      if (!tried && !isHabit) return own.length < leastEvents ? [] : [['WCI-CB-016', null], once];
      const said = comesAgain(tried ?? repeated[0], isHabit ? habitOf(repeated, own) : null);
      if (tried || isByAnswer(own)) return [['WCI-CB-016', said]];
      return [
        ['WCI-CB-016', null],
        ['WCI-CB-081', said],
      ];
    });
  }

  get forgotten(): number {
    return this.#events.forgotten;
  }
}

const isAgain = ({ again }: Taken): boolean => again.length > 0;

function isMostly(events: readonly Taken[]): boolean {
  return events.filter(isAgain).length >= events.length * habitShare;
}

/**
 * A sender that takes one 2xx for success and not another; copies of a queue that delivers at least once know no answers. Of a few events,
 * a recording may lack each copy.
 */
function isByAnswer(events: readonly Taken[]): boolean {
  const groups = [...Map.groupBy(events, ({ first }) => first.delivery.answer).values()];
  const isSpared = (group: readonly Taken[]) => group.length >= leastEvents && !group.some(isAgain);
  return groups.some(isSpared) && groups.some(isMostly);
}

function habitOf(repeated: readonly Taken[], own: readonly Taken[]): string {
  return `and so for ${repeated.length} of ${own.length} events`;
}

function comesAgain(event: Taken | undefined, habit: string | null): Wrong | null {
  if (!event) return null;
  const want = is.number(1, 'deliveries', 'of an event that was answered 2xx');
  const got = is.number(1 + event.again.length, 'deliveries', habit ?? 'of one');
  const because = [event.first, ...event.again].map(({ delivery }) => delivery);
  return { code: habit === null ? 'repeated' : 'habit', at: 'callback', want, got, because };
}
