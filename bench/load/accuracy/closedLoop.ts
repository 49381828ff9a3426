import { request } from 'undici';

/** What a tool reports. */
export interface Measured {
  readonly p99Ms: number;
  readonly perSecond: number;
}

/** So many requests always in flight, each timed from when it was sent: a stall is seen by those few alone that it held up. */
export async function closedLoop(url: string, inFlight: number, seconds: number): Promise<Measured> {
  const started = performance.now();
  const until = started + seconds * 1000;
  const times: number[] = [];
  const lane = async () => {
    while (performance.now() < until) {
      const sent = performance.now();
      const { body } = await request(url);
      await body.dump();
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  times.sort((one, other) => one - other);
  return {
    p99Ms: times[Math.floor(0.99 * (times.length - 1))] ?? 0,
    perSecond: (times.length * 1000) / (performance.now() - started),
  };
}
