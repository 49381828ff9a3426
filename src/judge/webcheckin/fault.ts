import type { Json } from '../kernel/body.ts';

/** Something that makes a request invalid, and the requirement that says so. */
export interface Fault {
  readonly requirement: string;
  /** Its place in the body, such as `flights[1].origin`. */
  readonly at: string;
  readonly value: Json | undefined;
}
