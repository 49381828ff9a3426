import type { Exchange } from '../core/evidence.ts';
import { BudgetExhausted } from '../send/allowance.ts';
import { responseOf } from '../judge/kernel/body.ts';
import { isOfTheApi } from './recognise.ts';

interface StrangerWatchOptions {
  /** Sends reads that tell whether one of the APIs still answers. */
  readonly stillAnswers: (watch: StrangerWatch) => Promise<boolean>;
  /** Learns that none does, by the last answer; what else it said stands in `strange`. */
  readonly onStranger: (exchange: Exchange) => void;
}

/** Answers in a row that look like none of the API, after which reads are sent to see whether it is still there. */
const patience = 6;

/**
 * Tells a deployment that answers some requests quite wrongly from something that stands before it since a while: a
 * firewall that blocks, a login page, a gateway without a route. There the run ends, and nothing of it is blamed on a rule.
 */
export class StrangerWatch {
  readonly #options: StrangerWatchOptions;
  /** Since the API was last seen to answer: a good answer to an earlier request says nothing of a later one. */
  #strange: { readonly exchange: Exchange; readonly received: number }[] = [];
  #patience = patience;
  #look: Promise<void> | null = null;

  constructor(options: StrangerWatchOptions) {
    this.#options = options;
  }

  /** The exchanges that something else answered since. */
  get strange(): readonly string[] {
    return this.#strange.map(({ exchange }) => exchange.id);
  }

  /** Looks at an answer; what it returns is to be awaited before a check judges it. */
  see(exchange: Exchange): Promise<void> | null {
    this.note(exchange);
    return this.#strange.length < this.#patience ? null : this.look();
  }

  /** Whether an answer, or the lack of one, leaves open that the API is still there. */
  note(exchange: Exchange): boolean {
    if (responseOf(exchange) === null) return true;
    const { sent, received } = exchange.timings;
    const isFamiliar = isOfTheApi(exchange);
    if (!isFamiliar) this.#strange.push({ exchange, received });
    else if (this.#strange.length > 0) this.#strange = this.#strange.filter((one) => one.received >= sent);
    return isFamiliar;
  }

  /** Sends the reads, where the last answers leave a doubt. */
  async look(): Promise<void> {
    if (this.#strange.length === 0) return;
    this.#look ??= this.#sendReads().finally(() => (this.#look = null));
    await this.#look;
  }

  async #sendReads(): Promise<void> {
    const last = this.#strange.at(-1);
    try {
      if (last === undefined) return;
      if (!(await this.#options.stillAnswers(this))) {
        this.#options.onStranger(last.exchange);
        return;
      }
      // One that answers so by mistake is not asked again after each few of its answers.
      this.#strange = [];
      this.#patience *= 2;
    } catch (error) {
      if (!(error instanceof BudgetExhausted)) throw error;
    }
  }
}
