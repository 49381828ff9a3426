/** `2 min 5 s`, `1.2 s`, `80 ms`: a duration as people say it. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return withRest(`${minutes} min`, seconds % 60, 's');
  return withRest(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min');
}

function withRest(whole: string, rest: number, unit: string): string {
  return rest === 0 ? whole : `${whole} ${rest} ${unit}`;
}

/** Whole percent, rounded down, so that 100 % means all; `–` if there is nothing. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.floor((part * 100) / whole)} %`;
}

/** `1 must`, `2 musts`. */
export function plural(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
