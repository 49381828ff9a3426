import type { Exchange } from '../core/evidence.ts';
import { operationIds, type OperationId } from '../core/operations.ts';
import { CountedAnswers, type Watching } from './countedAnswers.ts';
import { responseOf } from '../judge/kernel/body.ts';
import type { AnswerKind } from '../judge/kernel/oracle.ts';

/** Finds the oracles for an exchange: two thirds of them have nothing to say about most exchanges. */
export class WatchIndex {
  readonly #lists: ReadonlyMap<OperationId | null, Lists>;

  constructor(watches: readonly Watching[]) {
    const lists = [...operationIds, null].map((id) => [id, listsFor(watches, id)] as const);
    this.#lists = new Map(lists);
  }

  of(exchange: Exchange): readonly Watching[] {
    const { ofAnswers, others } = this.concerned(exchange);
    return [...ofAnswers, ...others];
  }

  concerned(exchange: Exchange): Concerned {
    const lists = this.#lists.get(exchange.operation);
    return lists?.[answerOf(exchange) ?? 'other'] ?? nobody;
  }
}

/** The oracles that an exchange concerns. */
export interface Concerned {
  /** Those that go by its answer alone. */
  readonly ofAnswers: readonly Watching[];
  /** What these said of earlier answers. */
  readonly book: CountedAnswers;
  readonly others: readonly Watching[];
}

const nobody: Concerned = { ofAnswers: [], book: new CountedAnswers(), others: [] };

type Lists = Readonly<Record<AnswerKind | 'other', Concerned>>;

function listsFor(watches: readonly Watching[], operation: OperationId | null): Lists {
  const those = watches.filter(({ oracle: { operations }, watch }) => {
    return watch.exchange && (!operations || (operation !== null && operations.includes(operation)));
  });
  const shown = (kind: AnswerKind | null): Concerned => {
    const all = those.filter(({ oracle: { answers } }) => answers === undefined || answers === kind);
    const isOfAnswers = ({ oracle: { judges } }: Watching) => judges === 'answers';
    return {
      ofAnswers: all.filter(isOfAnswers),
      book: new CountedAnswers(),
      others: all.filter((one) => !isOfAnswers(one)),
    };
  };
  return { accepted: shown('accepted'), refused: shown('refused'), other: shown(null) };
}

function answerOf(exchange: Exchange): AnswerKind | null {
  const status = responseOf(exchange)?.status ?? 0;
  if (status === 200) return 'accepted';
  return status >= 400 ? 'refused' : null;
}
