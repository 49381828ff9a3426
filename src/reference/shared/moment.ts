/** One act of the deployment: when it is, and which one. */
export interface Moment {
  readonly now: number;
  readonly serial: number;
}
