import type { Exchange } from '../core/evidence.ts';
import { BudgetExhausted } from '../send/allowance.ts';
import { responseOf } from '../judge/kernel/body.ts';
import { isOfTheApi } from './recognise.ts';

interface WrongServerWatchOptions {
  /** Sends reads that show whether one of the APIs still answers. */
  readonly stillAnswers: (watch: WrongServerWatch) => Promise<boolean>;
  /** Called with the last answer if none does; earlier ones are in `strange`. */
  readonly onWrongServer: (exchange: Exchange) => void;
}

/** Consecutive answers that do not look like the API, after which reads are sent to see whether it is still there. */
const patience = 6;

/**
 * Distinguishes a deployment that answers some requests quite wrongly from something that has replaced it: a firewall that
 * blocks, a login page, a gateway without a route. In that case the run ends, and nothing of it counts against a rule.
 */
export class WrongServerWatch {
  readonly #options: WrongServerWatchOptions;
  /** Answers since the API was last seen: a good answer to an earlier request says nothing about a later one. */
  #strange: { readonly exchange: Exchange; readonly received: number }[] = [];
  #patience = patience;
  #look: Promise<void> | null = null;

  constructor(options: WrongServerWatchOptions) {
    this.#options = options;
  }

  /** The exchanges that something else has answered since. */
  get strange(): readonly string[] {
    return this.#strange.map(({ exchange }) => exchange.id);
  }

  /** Looks at an answer; a check must await the result before it judges the answer. */
  see(exchange: Exchange): Promise<void> | null {
    this.note(exchange);
    return this.#strange.length < this.#patience ? null : this.look();
  }

  /** Whether the API may still be there after this answer, or the lack of one. */
  note(exchange: Exchange): boolean {
    if (responseOf(exchange) === null) return true;
    const { sent, received } = exchange.timings;
    const isFamiliar = isOfTheApi(exchange);
    if (!isFamiliar) this.#strange.push({ exchange, received });
    else if (this.#strange.length > 0) this.#strange = this.#strange.filter((one) => one.received >= sent);
    return isFamiliar;
  }

  /** Sends the reads if the last answers leave a doubt. */
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
        this.#options.onWrongServer(last.exchange);
        return;
      }
      // A deployment that answers like this by mistake is not asked again after every few of its answers.
      this.#strange = [];
      this.#patience *= 2;
    } catch (error) {
      if (!(error instanceof BudgetExhausted)) throw error;
    }
  }
}
