/** A wait for room to send. */
interface RoomAhead {
  /** About how long it takes. */
  readonly ms: number;
  /** It is longer than a run waits, and only refusals showed that. */
  readonly isLockedOut: boolean;
}

/** How the sender of a request waits, for `room` or for something else; rejects if it does not wait so long. */
export type Pause = (wait: () => Promise<void>, room?: RoomAhead) => Promise<void>;

/** After a second refusal, time has to pass: a state handler may say that its clock moves the limits, and be wrong. */
export function inRealTime(pause: Pause): Pause {
  return (wait, room) => pause(wait, room?.isLockedOut === true ? room : undefined);
}
