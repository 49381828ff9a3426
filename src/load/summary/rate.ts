/** A number of requests or answers: `12,345`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** A rate with three digits, or all before the point: `0.5/s`, `57.2/s`, `1,234/s`. */
export function formatRate(perSecond: number): string {
  return `${formatCount(perSecond < 100 ? Number(perSecond.toPrecision(3)) : Math.round(perSecond))}/s`;
}
