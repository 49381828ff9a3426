import type { Exchange } from '../../core/evidence.ts';
import type { Judgement } from './judgement.ts';

/** What an oracle says of one exchange: one judgement per requirement that the exchange is a sample of. */
export interface OracleJudgement {
  readonly requirement: string;
  readonly judgement: Judgement;
}

/**
 * A passive oracle: judges every exchange of a run, whoever caused it, or of recorded traffic. It is pure but for its
 * own memory of earlier exchanges (`createOracle` gives a fresh one per run), which grows with the records met, never
 * with the number of exchanges.
 */
export interface Oracle {
  /** Stable, such as `error-envelope`. */
  readonly id: string;
  /** States what it holds every exchange to. */
  readonly title: string;
  readonly verifies: readonly string[];
  readonly createOracle: () => (exchange: Exchange) => readonly OracleJudgement[];
}
