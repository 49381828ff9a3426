import * as is from '../../spec/kernel/value.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Delivery } from '../../core/evidence.ts';
import type { OwedEvents } from '../../spec/world/events.ts';
import type { HookedRecord } from '../../spec/world/hookedRecord.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { differs } from '../kernel/judgement.ts';
import type { Sample } from '../kernel/sample.ts';
import { broken, isRefused, type Told } from './toldEvents.ts';
import type { WebhookEvent } from '../../spec/world/webhookEvent.ts';

interface Repeated {
  readonly world: OwedEvents;
  /** Whether the deployment repeats what failed at all. */
  readonly areRepeated: boolean;
  readonly said: Sample[];
}

/** What becomes of an event that was taken, and of one that was not. */
export function judgeRepetition(
  { by }: HookedRecord,
  told: readonly Told[],
  { world, areRepeated, said }: Repeated,
): void {
  for (const { event, arrivals } of told) {
    const taken = arrivals.findIndex((arrival) => !isRefused(arrival));
    const again = taken < 0 ? [] : arrivals.slice(taken + 1);
    const of = arrivals.map(({ delivery }) => delivery);
    const answered = is.number(
      of.length,
      'deliveries',
      `answered ${of.map(({ answer }) => answer).join(', ')}`,
    );
    if (again.length > 1)
      said.push(
        broken(
          'WCI-CB-016',
          differs('known:repeated', 'callback', is.number(1, 'deliveries', 'answered 2xx'), answered),
          [...of, by],
        ),
      );
    const [first, second] = of;
    if (first && second && isRefused(arrivals[0]) && !isSameBody(first, second))
      said.push(
        broken('WCI-CB-018', differs('known:body', 'body', textIn(first), textIn(second)), [second, first]),
      );
    const isOver = first !== undefined && world.outbox.isEmptySince({ at: first.receivedAt, looks: 0 });
    if (areRepeated && isOver && arrivals.length === 1 && isRefused(arrivals[0]) && !isPart(event, told))
      said.push(
        broken(
          'WCI-CB-017',
          differs(
            'known:given-up',
            'callback',
            is.number(2, 'deliveries', 'as after other failures'),
            answered,
          ),
          [first, by],
        ),
      );
  }
  const short = told.find((one) => told.some((full) => isShortOf(one, full)));
  if (short)
    said.push(
      broken(
        'WCI-CB-011',
        differs(
          'known:shortened',
          'changes',
          is.whose('the delivery that failed'),
          is.value(short.event.changes),
        ),
        [short.event.delivery, by],
      ),
    );
}

/** The same change with other members: it came again in another form. */
function isPart({ occurredAt }: WebhookEvent, told: readonly Told[]): boolean {
  return told.filter(({ event }) => event.occurredAt === occurredAt).length > 1;
}

/** A part of an event that had failed before, of the same moment. */
function isShortOf({ event: again, at }: Told, { event: first, arrivals, at: firstAt }: Told): boolean {
  if (!isRefused(arrivals[0]) || at <= firstAt || again.occurredAt !== first.occurredAt) return false;
  const [less, more] = [again, first].map(({ changes }) => Object.keys(changes));
  return (
    less !== undefined &&
    more !== undefined &&
    less.length > 0 &&
    less.length < more.length &&
    less.every((name) => more.includes(name) && isDeepStrictEqual(again.changes[name], first.changes[name]))
  );
}

function isSameBody(one: Delivery, other: Delivery): boolean {
  return isDeepStrictEqual(deliveredObject(one), deliveredObject(other));
}

function textIn({ body }: Delivery): is.Value {
  return is.text(Buffer.from(body).toString('utf8'));
}
