const bars = '▁▂▃▄▅▆▇█';

/** Numbers as a row of bars, relative to the largest; empty without numbers. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(...values, 0);
  if (most === 0) return '▁'.repeat(values.length);
  return values.map((value) => bars[Math.ceil((value / most) * bars.length) - 1] ?? '▁').join('');
}

/** Number of instants in each of `parts` equal parts of the time from 0 to `endMs`. */
export function countsOver(instants: readonly number[], endMs: number, parts: number): readonly number[] {
  const counts = Array.from({ length: parts }, () => 0);
  for (const at of instants) {
    const part = Math.min(parts - 1, Math.floor((at / Math.max(endMs, 1)) * parts));
    counts[part] = (counts[part] ?? 0) + 1;
  }
  return counts;
}
