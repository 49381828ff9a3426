import type { Clock } from '../../core/clock.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import type { Pacer } from '../../send/pacer.ts';
import type { StateHandler } from '../../target/stateHandler.ts';
import type { KeySupply } from './keySupply.ts';
import type { MoveLock } from './moveLock.ts';
import type { SharedLimit } from '../../send/keyBudgets.ts';
import type { Pause } from '../../send/pause.ts';
import { lockedOut } from '../health/reasons.ts';
import { CaseUnclear, NoRoom } from '../attempt/signals.ts';
import type { Turn } from '../attempt/turn.ts';

interface RoomOptions {
  readonly pacer: Pacer;
  readonly supply: KeySupply;
  readonly state: StateHandler;
  readonly lock: MoveLock;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Ends waits. */
  readonly signal: AbortSignal;
  /** The keys that requests of checks are spread over. */
  readonly pool: () => readonly ApiKey[];
  /** Whether something in the run is bound to the current day, by the deployment's time. */
  readonly isBoundToDay: () => boolean;
  readonly now: () => number;
  readonly tell: (text: string) => void;
  /** The keys are those of another enterprise from now on, which has no records. */
  readonly onReplace: () => void;
}

/** Room that is reserved for a check, and used up bit by bit. */
interface Booking {
  readonly use: () => void;
  readonly release: () => void;
}

const dayMs = 86_400_000;
/** Slightly more than the longest window. */
export const furthestMs = 3_700_000;
/** Longest wait for room of a run. */
export const longestWaitMs = 120_000;
/** Most time that a run lets pass for what waits by the clock: records that checks share come closer to their departure. */
const mostPassedForMs = 2 * 3_600_000;
/** A clock that is read in whole seconds may seem to have moved less. */
const roundingMs = 2000;

/** Requests of a check that no plan foresees, such as for records that it is the first to need. */
const beyondPlan = 8;

/** Room to send within the rate limits: how much there is for checks that are about to start, and how to make more. */
export class Room {
  readonly #options: RoomOptions;
  /** Reserved requests by key. */
  readonly #promised = new Map<ApiKey, number>();
  /** A move under way, or as soon as nothing else is; resolves to whether it made room. */
  #passing: Promise<boolean> | null = null;
  /** Time that was let pass for what waits by the clock. */
  #passedForMs = 0;
  #isVerified = false;
  #isBroken = false;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /** Whether this many requests can be sent without waiting, in addition to those reserved for others, also with a single key. */
  has(requests: number): boolean {
    const { pacer, supply, pool } = this.#options;
    if (requests === 0 || supply.canGrow('primary')) return true;
    const wanted = this.#atMost(requests + (this.canMake ? beyondPlan : 0));
    const promised = [...this.#promised.values()].reduce((sum, count) => sum + count, 0);
    if (pacer.room(pool()) - promised < wanted) return false;
    return !this.canMake || pool().some((key) => this.of(key) >= Math.min(wanted, pacer.capacity([key])));
  }

  /** Requests that may be sent with a key right now, in addition to those reserved for others. */
  of(key: ApiKey): number {
    return this.#options.pacer.room([key]) - (this.#promised.get(key) ?? 0);
  }

  /** Reserves room for a check, which may need all of it with its own key. */
  book(requests: number, key: ApiKey | null): Booking {
    let left = requests;
    const take = (count: number) => {
      left -= count;
      if (key) this.#promised.set(key, (this.#promised.get(key) ?? 0) - count);
    };
    if (key) this.#promised.set(key, (this.#promised.get(key) ?? 0) + requests);
    return { use: () => take(Math.min(1, left)), release: () => take(left) };
  }

  /** Moves the deployment's clock forward, so that the windows empty, or else goes on with another enterprise. Only while no check runs. */
  async make(requests: number): Promise<void> {
    if (this.has(requests)) return;
    const { supply, onReplace } = this.#options;
    if (!this.canMove) {
      if (supply.canReplace && (await supply.replace())) onReplace();
      return;
    }
    await this.#pass(this.#allIn);
  }

  /** Lets time pass for what waits by the deployment's clock, as soon as nothing is under way; resolves to whether it did. */
  passFor(what: 'callbacks', ms: number): Promise<boolean> {
    if (this.#passedForMs + ms > mostPassedForMs) return Promise.resolve(false);
    this.#passedForMs += ms;
    return this.#pass(ms, () => this.#moves(what));
  }

  /** Waits for room, about `ms` from now. Where the clock can be moved, it is, as soon as nothing is under way. */
  async pause(wait: () => Promise<void>, ms = 0): Promise<void> {
    if (!this.canMove || !(ms > 0 && ms <= longestWaitMs)) return wait();
    const { clock, signal } = this.#options;
    const over = new AbortController();
    this.#passing ??= this.#pass(Math.max(ms, Math.min(this.#allIn, longestWaitMs))).finally(
      () => (this.#passing = null),
    );
    const slept = clock.sleep(ms, AbortSignal.any([signal, over.signal])).then(
      () => true,
      () => true,
    );
    const isOver = await Promise.race([this.#passing, slept]);
    over.abort();
    signal.throwIfAborted();
    if (!isOver) await wait();
  }

  /** Milliseconds until all keys have as much room as they can have. */
  get #allIn(): number {
    const { pacer, pool } = this.#options;
    return pacer.roomIn(pool(), this.#atMost(Number.POSITIVE_INFINITY));
  }

  /** Lets time pass on the deployment's clock; resolves to whether it did. */
  async #pass(exactMs: number, canMove = () => this.canMove): Promise<boolean> {
    const ms = Math.ceil(exactMs / 1000) * 1000;
    const mayPass = () => canMove() && ms > 0 && ms <= furthestMs && !this.#crossesMidnight(ms);
    if (!mayPass()) return false;
    let hasPassed = false;
    await this.#options.lock.alone(async () => {
      if (!mayPass()) return;
      await this.#move(ms);
      hasPassed = !this.#isBroken;
    });
    return hasPassed;
  }

  /** How many requests all unused keys could take at once. */
  #atMost(requests: number): number {
    return Math.min(requests, this.#options.pacer.capacity(this.#options.pool()));
  }

  /** Whether so many requests fit into another enterprise, if that is how room is made. */
  fits(requests: number): boolean {
    const { pacer, pool } = this.#options;
    return !this.canMove && requests + beyondPlan <= pacer.capacity(pool());
  }

  /** Whether there can be more room once no check is running. */
  get canMake(): boolean {
    return this.canMove || this.#options.supply.canReplace;
  }

  /** Whether the clock moves the rate limits. */
  get canMove(): boolean {
    return this.#moves('rate-limits');
  }

  #moves(what: string): boolean {
    const { state } = this.#options;
    return !this.#isBroken && state.offers('clock.advance') && state.clock.has(what);
  }

  /** A flight that the user named for a day is gone the next day. */
  #crossesMidnight(ms: number): boolean {
    const { isBoundToDay, now, state } = this.#options;
    if (!isBoundToDay() || !state.clock.has('dates')) return false;
    return Math.floor(now() / dayMs) !== Math.floor((now() + ms) / dayMs);
  }

  async #move(ms: number): Promise<void> {
    const { state, pacer, tell } = this.#options;
    try {
      const before = this.#isVerified ? null : timeOf(await state.set('capabilities', {}));
      const after = timeOf(await state.set('clock.advance', { seconds: ms / 1000 }));
      if (before === null || after - before >= ms - roundingMs) {
        this.#isVerified = true;
        return;
      }
      // The move that was assumed when it was requested did not happen.
      pacer.age(-ms);
      const moved = (after - before) / 1000;
      throw new Error(
        Number.isNaN(moved)
          ? 'the state handler told no time as `now`, in ISO 8601'
          : `the clock moved by ${moved} s instead of ${ms / 1000} s`,
      );
    } catch (error) {
      this.#isBroken = true;
      tell(`clock.advance made no room: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
}

function timeOf({ now }: { readonly now?: unknown }): number {
  return typeof now === 'string' ? Date.parse(now) : Number.NaN;
}

/** Waits up to this long are no reason to start again. */
const shortMs = 5_000;

interface RoomWaitsOptions {
  readonly room: Room;
  readonly shared: () => readonly SharedLimit[];
  readonly tell: (text: string) => void;
}

/** How the requests of checks wait for room to send. */
export class RoomWaits {
  readonly #options: RoomWaitsOptions;
  #hasTold = false;

  constructor(options: RoomWaitsOptions) {
    this.#options = options;
  }

  /** Instead of a long wait, a check of `requests` requests starts again once more room was made, or stays undecided. */
  pauseOf({ pause }: Pick<Turn, 'pause'>, requests = Number.POSITIVE_INFINITY): Pause {
    const { room } = this.#options;
    return async (wait, { ms, isLockedOut } = { ms: 0, isLockedOut: false }) => {
      const most = room.fits(requests) ? shortMs : longestWaitMs;
      if (Number.isFinite(ms) && ms > most && room.canMake) throw new NoRoom(ms);
      if (isLockedOut) throw this.#lockOut(ms);
      return pause(() => room.pause(wait, ms));
    };
  }

  #lockOut(ms: number): CaseUnclear {
    const { shared, tell } = this.#options;
    const why = lockedOut(ms, shared());
    if (!this.#hasTold) tell(`Some checks stay undecided: ${why}.`);
    this.#hasTold = true;
    return new CaseUnclear(why);
  }
}
