import type { ApiRequest } from '../src/send/request.ts';

/** A way to make exchanges, to be measured alone in a process: `node bench/candidate.ts NAME MIX URL WARM-UP COUNT`. */
export interface Candidate {
  readonly exchange: (request: ApiRequest) => Promise<void>;
  readonly finish: () => Promise<Judged>;
}

/** What became of the exchanges: zeros where they are not judged. */
interface Judged {
  readonly judgements: number;
  readonly violations: number;
}

export interface Figures extends Judged {
  readonly exchanges: number;
  /** CPU time of this process for one exchange after the warm-up, user and system, in microseconds. */
  readonly cpuMicros: number;
  /** Highest resident memory of this process, in bytes. */
  readonly peakMemory: number;
}
