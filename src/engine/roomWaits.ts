import type { SharedLimit } from '../send/keyBudgets.ts';
import type { Pause } from '../send/pause.ts';
import { lockedOut } from './health/reasons.ts';
import { longestWaitMs, type Room } from './room.ts';
import { CaseUnclear, NoRoom } from './signals.ts';
import type { Turn } from './turn.ts';

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
