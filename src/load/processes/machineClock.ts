/** What to add to monotonic times so that all processes of this machine share a clock. */
export function machineOffsetMs(): number {
  return Number(process.hrtime.bigint()) / 1e6 - performance.now();
}
