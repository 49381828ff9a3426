import type { Json } from '../kernel/body.ts';

/** Something in a request for which it may not be accepted, and the row that says so. */
export interface Fault {
  readonly requirement: string;
  /** Its place in the body, such as `flights[1].origin`. */
  readonly at: string;
  readonly value: Json | undefined;
}
