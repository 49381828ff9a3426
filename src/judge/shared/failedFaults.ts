import type { Exchange } from '../../core/evidence.ts';
import { responseOf } from '../../trace/body.ts';
import { answeredOtherwise, dueAnswer, invalid } from '../kernel/answer.ts';
import { RecentMap } from '../kernel/recentMap.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';
import { sentInputs } from './sentInputs.ts';

/** A request with a fault that was an internal error. */
interface Failure {
  readonly exchange: Exchange;
  /** How many requests had been answered by then. */
  readonly answers: number;
}

/** One 500 for a malformed request may be an accident: the same fault again, with others answered in between, is none. */
export class FailedFaults {
  readonly #failed = new RecentMap<string, Failure>(1_000);
  #answers = 0;

  get forgotten(): number {
    return this.#failed.forgotten;
  }

  judge(exchange: Exchange): readonly Sample[] {
    const status = responseOf(exchange)?.status ?? 0;
    if (status < 500) this.#answers += 1;
    if (status !== 500 && this.#failed.size === 0) return noSamples;
    const fault = sentInputs(exchange)?.fault;
    if (!fault) return noSamples;
    const before = this.#failed.get(fault.spot);
    if (status === 500 && !before) this.#failed.set(fault.spot, { exchange, answers: this.#answers });
    if (status === 400) this.#failed.delete(fault.spot);
    if (status !== 500 || !before || before.answers === this.#answers) return noSamples;
    const judgement = answeredOtherwise(exchange, dueAnswer(invalid), 'internal');
    return [{ ...sampleOf(fault.rule, judgement), evidence: [exchange, before.exchange] }];
  }
}
