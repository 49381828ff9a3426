import { median, type Ratio } from '../ratios.ts';
import { measureSink, type SinkFigures } from './measure.ts';

export interface SinkSizes {
  readonly rounds: number;
  readonly warmUp: number;
  readonly callbacks: number;
  /** Callbacks of the two bursts whose memory is compared. */
  readonly few: number;
  readonly many: number;
}

/** Callbacks a second that the sink takes and keeps, over those that a bare server only answers, in turns. */
export async function sinkThroughput({ rounds, warmUp, callbacks: count }: SinkSizes): Promise<Ratio> {
  const sink: SinkFigures[] = [];
  const bare: SinkFigures[] = [];
  const task = { connections: 32, warmUp, count, flags: [] };
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await measureSink({ ...task, name: 'bare' }));
    sink.push(await measureSink({ ...task, name: 'sink' }));
  }
  const rate = (figures: readonly SinkFigures[]) =>
    Math.round(median(figures.map(({ perSecond }) => perSecond))).toLocaleString('en');
  const micros = (figures: readonly SinkFigures[]) =>
    (median(figures.map(({ cpuMicros }) => cpuMicros)) / count).toFixed(0);
  return {
    title: 'callbacks a second, kept by the sink / answered by node:http',
    rounds: sink.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? Number.NaN)),
    bound: 0.6,
    atLeast: true,
    details: `${rate(sink)} / ${rate(bare)}, CPU time of a callback ${micros(sink)} µs / ${micros(bare)} µs`,
  };
}

/**
 * As in the other measure of memory, a nursery of one size; and a heap that V8 has to keep small, since it lets garbage lie
 * as long as nothing presses. What the sink would keep of 100,000 callbacks has no room in it.
 */
const flags = ['--min-semi-space-size=16', '--max-semi-space-size=16', '--max-old-space-size=64'];

/** Peak memory of the sink after a burst of many callbacks over that after few; none may be lost. */
export async function sinkMemory({ few, many }: SinkSizes): Promise<Ratio> {
  const peaks: number[] = [];
  for (const count of [few, many]) {
    const task = { name: 'sink', connections: 500, warmUp: 0, count, flags } as const;
    peaks.push((await measureSink(task)).peakMemory);
  }
  const [low = Number.NaN, high = Number.NaN] = peaks;
  const counts = [many, few].map((count) => count.toLocaleString('en'));
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  return {
    title: `peak memory of the sink at ${counts[0]} / at ${counts[1]} callbacks`,
    rounds: [high / low],
    bound: 1.2,
    details: `${megabytes(high)} / ${megabytes(low)}, 500 connections, every callback kept`,
  };
}
