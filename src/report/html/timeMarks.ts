import { formatDuration } from '../text/format.ts';

/** A label, and where it is, from 0 to 1. */
export interface Mark {
  readonly at: number;
  readonly text: string;
}

const [second, minute, hour] = [1000, 60_000, 3_600_000];
/** Steps of a time axis. */
const timeSteps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 6, 12, 24].map((count) => count * hour),
];
const mostMarks = 7;

/** Round instants on an axis of so many milliseconds, at most eight. */
export function timeMarks(wholeMs: number): readonly Mark[] {
  const step = timeSteps.find((one) => wholeMs / one <= mostMarks) ?? roundStep(wholeMs / mostMarks);
  return Array.from({ length: Math.floor(wholeMs / step) + 1 }, (_, index) => ({
    at: (index * step) / wholeMs,
    text: timeText(index * step),
  }));
}

/** `30 s`, `1 min 30 s` */
export function timeText(ms: number): string {
  return ms < minute ? `${Number((ms / 1000).toFixed(1))} s` : formatDuration(ms);
}

/** 1, 2 or 5 times a power of ten, not less than a number. */
export function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10) * power;
}
