import type { Json } from '../../trace/body.ts';
import { clockSlackMs } from '../world/toldChanges.ts';
import { equalField } from '../kit/equalField.ts';
import { parseTimestamp } from '../kit/timestamp.ts';
import { only, type Blame } from '../kernel/blame.ts';
import * as is from '../kernel/value.ts';
import type { Booking } from '../world/booking.ts';
import type { Bookings } from '../world/bookings.ts';
import { place, type Sight } from '../world/sights.ts';

/** A read that goes out later than this may show what has followed the update since; milliseconds. */
const rightAfterMs = 250;
/** How late a copy may be with an update, in milliseconds. */
const lateMs = 3_000;

interface Told {
  readonly sight: Sight;
  readonly writtenAt: number;
  isReadAtOnce: boolean;
  /** Whether a read has agreed, or has been found to differ. */
  isOver: boolean;
}

/** What an update answers is what it made, as a read right after it shows, with a later last_updated than before. */
export class UpdateAnswers {
  readonly #told = new WeakMap<Booking, Told>();
  readonly #world: Bookings;
  readonly #blame: Blame;

  constructor(world: Bookings, blame: Blame) {
    this.#world = world;
    this.#blame = blame;
  }

  see(sight: Sight, booking: Booking): void {
    if (sight.by === 'update') this.#answered(sight, booking);
    else if (sight.by === 'status' || sight.by === 'alias') this.#read(sight, booking);
  }

  #answered(sight: Sight, booking: Booking): void {
    const before = this.#told.get(booking);
    this.#told.set(booking, { sight, writtenAt: booking.writtenAt, isReadAtOnce: false, isOver: false });
    if (!before || booking.changedBy !== sight.exchange) return;
    const [was, now] = [before.sight, sight].map(({ record }) => parseTimestamp(record.last_updated));
    if (was === null || was === undefined || was !== now) return;
    // A machine whose clock is behind may keep to the time of another one.
    const settledMs = clockSlackMs + (was % 1000 === 0 ? 1000 : 0);
    if (sight.exchange.timings.sent - before.sight.exchange.timings.received < settledMs) return;
    this.#accuse('WCI-UPD-034', sight, before.sight, 'last_updated');
  }

  #read(sight: Sight, booking: Booking): void {
    this.#judgeSub(sight, booking);
    const told = this.#told.get(booking);
    if (!told || told.isOver || told.writtenAt !== booking.writtenAt || this.#world.mayMove(booking)) return;
    const after = sight.exchange.timings.sent - told.sight.exchange.timings.received;
    if (after < 0) return;
    const odd = differenceOf(told.sight, sight);
    told.isOver = odd === null;
    if (odd === null) this.#blame.show('WCI-UPD-033');
    else if (after <= rightAfterMs) told.isReadAtOnce = true;
    else if (told.isReadAtOnce && after >= lateMs && this.#world.isAfter(sight, booking)) {
      told.isOver = true;
      this.#accuse('WCI-UPD-033', sight, told.sight, odd);
    }
  }

  /** Once an update has supplied all that was missing, the booking says so. */
  #judgeSub(sight: Sight, booking: Booking): void {
    const { status, missing_info: missing, sub_status: sub } = sight.record;
    const { value, by } = booking.complete;
    // What an answer has shown against what is known may be wrong.
    const latest = by.at(-1);
    const isMade = value === true && latest && 'request' in latest && latest.operation === 'wci.update';
    const isWhole = status === 'SCHEDULED' && Array.isArray(missing) && missing.length === 0;
    if (!isMade || !isWhole || typeof sub !== 'string') return;
    if (sub === 'COMPLETE_INFO') this.#blame.show('WCI-UPD-046');
    else if (this.#world.isAssessed(sight, booking) && this.#world.isAfter(sight, booking))
      this.#accuse('WCI-UPD-046', sight, sight, 'sub_status');
  }

  #accuse(rule: string, sight: Sight, before: Sight, member: string): void {
    const answered = is.noted(is.value(before.record[member]), 'as the update answered');
    const later = is.noted(is.pattern('a later time'), `than in ${before.exchange.id}`);
    const wanted: Readonly<Record<string, is.Value>> = { last_updated: later };
    const want = sight === before ? is.value('COMPLETE_INFO') : (wanted[member] ?? answered);
    // Another update in between, which a recording need not hold, makes another booking of it.
    const code = rule === 'WCI-UPD-033' ? 'known:told' : 'told';
    this.#blame.accuse(only(rule), sight.by, {
      ...{ code, at: place(sight, member), got: is.value(sight.record[member]) },
      want,
      because: [before.exchange, sight.exchange],
    });
  }
}

const compared = ['checkin_id', 'booking_id', 'status', 'sub_status', 'missing_info'] as const;

/** The first member that differs. When sub_status follows an update is open. */
function differenceOf({ record: told }: Sight, { record: shown }: Sight): string | null {
  const hasFollowed = shown.sub_status === 'COMPLETE_INFO' && shown.status === told.status;
  const members = compared.filter((member) => !hasFollowed || member !== 'sub_status');
  return members.find((member) => !isEqual(member, told[member], shown[member])) ?? null;
}

function isEqual(member: (typeof compared)[number], one: Json | undefined, other: Json | undefined): boolean {
  return one === undefined || other === undefined || equalField(member, one, other);
}
