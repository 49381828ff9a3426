import type { Exchange } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { isMissing, textOf } from '../grammar/form.ts';
import { only, type Blame } from '../kernel/blame.ts';
import * as is from '../kernel/value.ts';
import type { Booking } from '../world/booking.ts';
import type { Bookings } from '../world/bookings.ts';
import type { Repeats, Twin } from '../world/repeats.ts';
import { place, type Sight } from '../world/sights.ts';
import { isKnownSame, sentencesOf } from './repeats.ts';

/** Two reads further apart may differ by what the deployment does of itself, in milliseconds. */
const soonMs = 60_000;
const most = 1_000;

/** What a status showed last of a booking. */
interface Shown {
  readonly updated: string;
  readonly by: Exchange;
  readonly writtenAt: number;
  /** The same booking was subscribed since then. */
  isAgain: boolean;
}

/** A repeated subscribe leaves no trace: no second item in the list, and no later last_updated. */
export class RepeatTraces {
  readonly #blame: Blame;
  readonly #world: Bookings;
  /** When an attempt was found again, in epoch milliseconds. */
  readonly #found = new RecentMap<string, number>(most);
  /** What a repeat made beside the first, with both requests. */
  readonly #doubles = new RecentMap<string, readonly Exchange[]>(most);
  readonly #shown = new RecentMap<string, Shown>(most);
  /** Whether last_updated moves without any request. */
  #isRestless = false;

  constructor(world: Bookings, blame: Blame) {
    this.#world = world;
    this.#blame = blame;
  }

  learn(call: Call, repeats: Repeats): void {
    if (call.op !== 'wci.subscribe' || call.status !== 200 || !isObject(call.answer)) return;
    const { checkin_id: id, message } = call.answer;
    const twin = repeats.of(call);
    const shown = this.#shown.get(textOf(id));
    if (twin?.booking.id === id && isMissing(call.body?.callbackData)) {
      this.#found.set(textOf(id), call.receivedAt);
      if (shown && call.exchange.timings.sent >= shown.by.timings.received) shown.isAgain = true;
    } else if (shown) this.#shown.delete(textOf(id));
    if (twin && twin.booking.id !== id && message === 'SCHEDULED' && isPlainly(call, twin, repeats))
      this.#doubles.set(textOf(id), [twin.call.exchange, call.exchange]);
  }

  see(sight: Sight, booking: Booking): void {
    if (sight.by === 'list') this.#judgeItem(sight, booking);
    if (sight.by === 'status') this.#judgeTime(sight, booking);
  }

  #judgeItem(sight: Sight, { id }: Booking): void {
    const doubled = this.#doubles.get(id);
    const foundAt = this.#found.get(id);
    if (doubled)
      this.#blame.accuse(only('WCI-SUB-019'), 'list', {
        ...{ code: 'known:item', at: place(sight, 'checkin_id'), because: [...doubled, sight.exchange] },
        ...{ want: is.number(1, 'items', 'for the booking'), got: is.value(id, 'as well') },
      });
    else if (foundAt !== undefined && foundAt <= sight.exchange.timings.sentAt)
      this.#blame.keep(only('WCI-SUB-019'));
  }

  #judgeTime(sight: Sight, booking: Booking): void {
    const { id, writtenAt, bystanders } = booking;
    const { exchange, record } = sight;
    const before = this.#shown.get(id);
    const updated = textOf(record.last_updated);
    this.#shown.delete(id);
    // Whoever shows a booking that was only made knows all of it.
    const isAfter = booking.version === 0 || this.#world.isAfter(sight, booking);
    if (updated === '' || !isAfter || this.#world.mayMove(booking)) return;
    this.#shown.set(id, { updated, by: exchange, writtenAt, isAgain: false });
    const isTouched =
      before?.writtenAt !== writtenAt || bystanders.some(({ rule }) => rule.includes('-UPD-'));
    if (!before || isTouched) return;
    if (before.isAgain && before.updated === updated) this.#blame.keep(only('WCI-SUB-072'));
    else if (before.updated !== updated) this.#moved(sight, before);
  }

  #moved({ exchange, record }: Sight, { by, updated, isAgain }: Shown): void {
    if (!isAgain) this.#isRestless = true;
    if (this.#isRestless || exchange.timings.sentAt - by.timings.sentAt > soonMs) return;
    this.#blame.accuse(only('WCI-SUB-072'), 'status', {
      ...{ code: 'moved', at: 'last_updated', because: [by, exchange] },
      want: is.value(updated, 'as before the booking was subscribed again'),
      got: is.value(record.last_updated),
    });
  }
}

/** A repeat with nothing special about it. */
function isPlainly(call: Call, twin: Twin, repeats: Repeats): boolean {
  return isKnownSame(call, twin, repeats) && sentencesOf(call, twin).join() === 'WCI-SUB-015';
}
