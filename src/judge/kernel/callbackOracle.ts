import type { Delivery, Exchange } from '../../core/evidence.ts';
import type { OracleJudgement } from './oracle.ts';

/** A judgement of a delivery, which may have come before the answer by which it is judged. */
export interface CallbackJudgement extends OracleJudgement {
  readonly delivery: Delivery;
}

/** The memory of a callback oracle during one run. */
export interface CallbackWatch {
  /** Sees every exchange, since registrations stand in them; judges deliveries that waited for it. */
  exchange(exchange: Exchange): readonly CallbackJudgement[];
  delivery(delivery: Delivery): readonly CallbackJudgement[];
}

/**
 * A passive oracle of callbacks: judges every delivery of a run by what was registered for its address. Pure but for its
 * memory of registrations, which `createWatch` makes afresh for each run.
 */
export interface CallbackOracle {
  /** Stable, such as `webhook-headers`. */
  readonly id: string;
  /** States what it holds every delivery to. */
  readonly title: string;
  readonly verifies: readonly string[];
  readonly createWatch: () => CallbackWatch;
}
