import type { Exchange } from '../../core/evidence.ts';
import { responseOf } from '../../trace/body.ts';
import { answeredOtherwise, dueAnswer, invalid } from '../kernel/answer.ts';
import { RecentMap } from '../kernel/recentMap.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';
import { sentInputs } from './sentInputs.ts';

/** So many in a row that an accident would have to begin and to end with them. */
const fewestInRow = 3;

/** Requests with the same fault that were internal errors. */
interface Failure {
  readonly exchanges: readonly Exchange[];
  /** How many requests had been answered before the first. */
  readonly answers: number;
}

/** One 500 for a malformed request may be an accident: it is none with others answered in between, or around several in a row. */
export class FailedFaults {
  readonly #failed = new RecentMap<string, Failure>(1_000);
  /** The fault that all requests since the latest answer had; null where some had none. */
  #inRow: string | null = null;
  #answers = 0;

  get forgotten(): number {
    return this.#failed.forgotten;
  }

  judge(exchange: Exchange): readonly Sample[] {
    const status = responseOf(exchange)?.status;
    if (status === undefined || status === 429) return noSamples;
    return status >= 500 ? this.#fail(exchange, status) : this.#answer(exchange);
  }

  #fail(exchange: Exchange, status: number): readonly Sample[] {
    const fault = sentInputs(exchange)?.fault;
    const known = fault ? this.#failed.get(fault.spot) : undefined;
    const isFirst = this.#inRow === null && this.#isAnswered;
    this.#isAnswered = false;
    this.#inRow = fault && status === 500 && (isFirst || this.#inRow === fault.spot) ? fault.spot : null;
    if (!fault || status !== 500) return noSamples;
    const exchanges = [...(known?.exchanges ?? []), exchange].slice(-fewestInRow);
    this.#failed.set(fault.spot, { exchanges, answers: known?.answers ?? this.#answers });
    return known && known.answers !== this.#answers ? broken(fault.rule, exchanges) : noSamples;
  }

  #isAnswered = false;

  #answer(exchange: Exchange): readonly Sample[] {
    const spot = this.#inRow;
    const row = spot === null ? undefined : this.#failed.get(spot);
    this.#answers += 1;
    this.#isAnswered = true;
    this.#inRow = null;
    const own = this.#failed.size > 0 ? sentInputs(exchange)?.fault : null;
    if (own) this.#failed.delete(own.spot);
    const last = row?.exchanges.at(-1);
    const fault = last && sentInputs(last)?.fault;
    if (!row || !fault || fault.spot === own?.spot) return noSamples;
    return row.exchanges.length < fewestInRow ? noSamples : broken(fault.rule, row.exchanges);
  }
}

function broken(rule: string, exchanges: readonly Exchange[]): readonly Sample[] {
  const last = exchanges.at(-1);
  if (!last) return noSamples;
  const judgement = answeredOtherwise(last, dueAnswer(invalid), 'internal');
  return [{ ...sampleOf(rule, judgement), evidence: exchanges.toReversed() }];
}
