import type { Delivery } from '../../../core/evidence.ts';
import { digestOf } from '../../../trace/digest.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { RecentMap } from '../../kernel/recentMap.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { watchWebhooks } from '../webhookBook.ts';
import { deliveredObject } from '../../../trace/delivered.ts';
import { eventOf } from '../webhookEvent.ts';

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
export const webhookRepetition: Oracle = {
  id: 'webhook-repetition',
  title: 'status webhooks that were answered 2xx do not come again as a rule',
  verifies: ['WCI-CB-016'],
  operations: ['wci.subscribe'],
  createWatch: () => {
    const events = new RecentMap<string, Taken>();
    const watch = watchWebhooks((delivery, [registered]) => {
      note(events, delivery, registered?.enterprise ?? null);
      return [];
    });
    return {
      ...watch,
      end: () => {
        watch.end?.();
        return samplesOf([...events.values()]);
      },
      forgotten: () => (watch.forgotten?.() ?? 0) + events.forgotten,
    };
  },
};

function note(events: RecentMap<string, Taken>, delivery: Delivery, enterprise: string | null): void {
  const body = deliveredObject(delivery);
  if (!body || !eventOf(delivery)) return;
  const name = `${delivery.registration} ${digestOf(body)}`;
  const known = events.get(name);
  if (known) known.again ??= delivery;
  else if (atOnce.test(delivery.answer)) events.set(name, { enterprise, first: delivery, again: null });
}

/** A sample for each enterprise with enough events. */
function samplesOf(events: readonly Taken[]): readonly Sample[] {
  return [...new Set(events.map(({ enterprise }) => enterprise))].flatMap((owner) => {
    const own = events.filter(({ enterprise }) => enterprise === owner);
    if (own.length < leastEvents) return [];
    const repeated = own.filter(({ again }) => again !== null);
    const isHabit = repeated.length >= leastEvents && repeated.length >= own.length * habitShare;
    const [shown] = repeated;
    const evidence = isHabit && shown?.again ? [shown.first, shown.again] : [];
    return [{ ...sampleOf('WCI-CB-016', isHabit ? habit(repeated.length, own.length) : holds), evidence }];
  });
}

function habit(repeated: number, all: number) {
  return violated(
    'habit',
    'one delivery of an event that was answered 2xx',
    `${repeated} of ${all} such events delivered again`,
  );
}
