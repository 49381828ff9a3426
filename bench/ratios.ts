import type { Figures } from './figures.ts';
import type { Mix } from './payloads.ts';
import type { Task } from './processes.ts';

/** A figure of Gatecheck over a figure to compare with, and what it may be at most, or has to be at least. */
export interface Ratio {
  readonly title: string;
  readonly rounds: readonly number[];
  readonly bound: number;
  readonly atLeast?: boolean;
  /** The absolute figures behind it. */
  readonly details: string;
}

export interface Sizes {
  readonly rounds: number;
  readonly warmUp: number;
  readonly exchanges: number;
  /** Exchanges of the two processes whose memory is compared. */
  readonly few: number;
  readonly many: number;
}

export type Measure = (task: Task) => Promise<Figures>;

/** CPU time of an exchange by the engine over that of bare undici, in turns, since a machine has moods. */
export async function relativeCpu(measure: Measure, mix: Mix, sizes: Sizes): Promise<Ratio> {
  const engine: Figures[] = [];
  const bare: Figures[] = [];
  for (let round = 0; round < sizes.rounds; round += 1) {
    bare.push(await measure({ ...sizes, mix, name: 'bare', flags: [] }));
    engine.push(judged(await measure({ ...sizes, mix, name: 'engine', flags: [] })));
  }
  const micros = (figures: readonly Figures[]) =>
    median(figures.map(({ cpuMicros }) => cpuMicros)).toFixed(0);
  return {
    title: 'CPU time per judged exchange / bare undici with JSON',
    rounds: engine.map(({ cpuMicros }, round) => cpuMicros / (bare[round]?.cpuMicros ?? Number.NaN)),
    bound: 2,
    details: `${micros(engine)} µs / ${micros(bare)} µs, ${perExchange(engine)} judgements an exchange`,
  };
}

/**
 * V8 makes its nursery larger at some time or other, and lets garbage lie as long as there is room, which says nothing of what an
 * engine keeps: one size from the start, and little room.
 */
const flags = ['--min-semi-space-size=16', '--max-semi-space-size=16', '--max-old-space-size=96'];

/** Peak memory of the engine after many exchanges over that after few. */
export async function memoryGrowth(measure: Measure, mix: Mix, { few, many }: Sizes): Promise<Ratio> {
  const peaks = [];
  for (const exchanges of [few, many])
    peaks.push(judged(await measure({ name: 'engine', mix, warmUp: 0, exchanges, flags })).peakMemory);
  const [low = Number.NaN, high = Number.NaN] = peaks;
  const counts = [many, few].map((count) => count.toLocaleString('en'));
  const megabytes = [high, low].map((bytes) => `${Math.round(bytes / 2 ** 20)} MB`);
  return {
    title: `peak memory at ${counts.join(' / at ')} exchanges`,
    rounds: [high / low],
    bound: 1.2,
    details: megabytes.join(' / '),
  };
}

/** The middle value; of an even number of them, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** A figure counts only where the engine judged, and found nothing wrong with answers that are right. */
function judged(figures: Figures): Figures {
  const { judgements, violations } = figures;
  if (judgements > 0 && violations === 0) return figures;
  throw new Error(`expected judgements without a violation, got ${judgements} with ${violations}`);
}

function perExchange(figures: readonly Figures[]): string {
  const [first] = figures;
  return first ? (first.judgements / first.exchanges).toFixed(1) : '0';
}
