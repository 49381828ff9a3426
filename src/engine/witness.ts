import type { Delivery, Exchange } from '../core/evidence.ts';
import { responseOf } from '../judge/kernel/body.ts';
import type { CallbackJudgement, CallbackOracle, CallbackWatch } from '../judge/kernel/callbackOracle.ts';
import type { Oracle, OracleJudgement } from '../judge/kernel/oracle.ts';
import type { Journal } from '../send/journal.ts';
import type { Listener } from './events.ts';
import { Latencies } from './latencies.ts';
import type { SecretWatch } from './secretWatch.ts';
import type { ServerClock } from './serverClock.ts';
import { PassiveTallies } from './tally.ts';

export interface WitnessOptions {
  readonly oracles: readonly Oracle[];
  readonly callbackOracles: readonly CallbackOracle[];
  readonly secrets: SecretWatch;
  readonly serverClock: ServerClock;
  readonly journal: Journal;
  readonly listener: Listener;
}

/** Sees all traffic of a run first: secrets are learnt, the oracles judge, and only then is it recorded. */
export class Witness {
  readonly tallies = new PassiveTallies();
  readonly latencies = new Latencies();
  readonly #options: WitnessOptions;
  #judges: readonly { readonly oracle: Oracle; readonly judge: ReturnType<Oracle['createOracle']> }[] = [];
  #watches: readonly { readonly oracle: CallbackOracle; readonly watch: CallbackWatch }[] = [];

  constructor(options: WitnessOptions) {
    this.#options = options;
    this.forget();
  }

  /** What was dropped on the target may come again with other ids and times: the oracles start afresh. */
  forget(): void {
    const { oracles, callbackOracles } = this.#options;
    this.#judges = oracles.map((oracle) => ({ oracle, judge: oracle.createOracle() }));
    this.#watches = callbackOracles.map((oracle) => ({ oracle, watch: oracle.createWatch() }));
  }

  see(exchange: Exchange): void {
    const { secrets, serverClock, journal, listener } = this.#options;
    secrets.observe(exchange);
    serverClock.observe(exchange);
    const violated = this.tallies.add(exchange, this.#judge(exchange));
    journal.exchange(exchange, violated);
    this.#addUp(this.#judgeCallbacks((watch) => watch.exchange(exchange), exchange.id));
    const { id, operation, timings } = exchange;
    const durationMs = timings.received - timings.sent;
    this.latencies.add(operation ?? 'other', durationMs);
    listener({ name: 'exchange', id, operation, status: responseOf(exchange)?.status ?? null, durationMs });
  }

  /** Resolves when the journal can take more, so that a flood of deliveries is slowed down and not piled up. */
  async seeDelivery(delivery: Delivery): Promise<void> {
    const { journal, listener } = this.#options;
    const judged = this.#judgeCallbacks((watch) => watch.delivery(delivery), delivery.id);
    journal.delivery(delivery, this.#addUp(judged));
    listener({ name: 'callback', id: delivery.id, answer: delivery.answer });
    await journal.drained();
  }

  /** What all oracles say of an exchange. One that breaks over it spoils its own verdict only. */
  #judge(exchange: Exchange): readonly OracleJudgement[] {
    const judgements: OracleJudgement[] = [];
    for (const { oracle, judge } of this.#judges) {
      try {
        for (const judgement of judge(exchange)) judgements.push(judgement);
      } catch (error) {
        this.tallies.addFault(oracle.verifies, `a fault of Gatecheck over ${exchange.id}: ${String(error)}`);
      }
    }
    return judgements;
  }

  #judgeCallbacks(
    judge: (watch: CallbackWatch) => readonly CallbackJudgement[],
    id: string,
  ): readonly CallbackJudgement[] {
    return this.#watches.flatMap(({ oracle, watch }) => {
      try {
        return judge(watch);
      } catch (error) {
        this.tallies.addFault(oracle.verifies, `a fault of Gatecheck over ${id}: ${String(error)}`);
        return [];
      }
    });
  }

  /** Adds up judgements of deliveries; returns the requirements that are violated. */
  #addUp(judged: readonly CallbackJudgement[]): readonly string[] {
    return judged.flatMap((judgement) => this.tallies.add(judgement.delivery, [judgement]));
  }
}
