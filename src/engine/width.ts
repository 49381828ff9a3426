/** Up to this many milliseconds for an answer, more requests in flight would only queue up at the deployment. */
const quickMs = 40;

/** Checks that run side by side, by how long the deployment takes for an answer: those that wait for one cost nothing. */
export function widthAt(
  latencyMs: number,
  { width, mostWidth }: { readonly width: number; readonly mostWidth: number },
): number {
  return Math.min(Math.max(width, mostWidth), Math.max(width, Math.round((width * latencyMs) / quickMs)));
}
