import type { Exchange, Headers, RecordedResponse } from '../../core/evidence.ts';
import { mostShort, shortBytes } from '../../core/bytes.ts';
import { responseOf } from '../../judge/kernel/body.ts';
import type { Oracle, Watch, AnswerKind } from '../../judge/kernel/oracle.ts';
import { answerFields } from '../../spec/grammar/headers.ts';
import type { Sample } from '../../judge/kernel/sample.ts';
import { operationIds, type OperationId } from '../../core/operations.ts';

/** An oracle in use. */
export interface Watching {
  readonly oracle: Oracle;
  readonly watch: Watch;
}

/** What is known of an answer and of all that are equal to it. */
export interface KnownAnswer {
  /** What holds of them. */
  readonly samples: readonly Sample[];
  /** Oracles that have to look at each. */
  readonly asked: readonly Watching[];
}

interface Judged extends KnownAnswer {
  readonly status: number;
  readonly truncated: boolean;
  readonly fields: Headers;
}

/** What holds of the answers to one operation that came lately: most answers of a run have come before. */
class CountedAnswers {
  readonly #judged = new Map<Uint8Array, Judged>();

  find(exchange: Exchange): KnownAnswer | null {
    const response = responseOf(exchange);
    const known = response ? this.#judged.get(response.body) : undefined;
    return known && isSame(response, known) ? known : null;
  }

  keep(exchange: Exchange, known: KnownAnswer): void {
    const response = responseOf(exchange);
    if (!response || response.body.length >= shortBytes) return;
    if (this.#judged.size >= mostShort) this.#judged.clear();
    const { status, truncated, headers, body } = response;
    this.#judged.set(body, { ...known, status, truncated, fields: headers.filter(isJudged) });
  }
}

/** Whether a sample says the same of all equal answers. */
export function isGeneral({ judgement: { status }, evidence }: Sample): boolean {
  return evidence === undefined && (status === 'holds' || status === 'not-applicable');
}

function isSame(response: RecordedResponse | null, { status, truncated, fields }: Judged): boolean {
  if (response?.status !== status || response.truncated !== truncated) return false;
  let at = 0;
  for (const header of response.headers) {
    const known = fields[at];
    if (known?.[0] === header[0] && known[1] === header[1]) at += 1;
    else if (isJudged(header)) return false;
  }
  return at === fields.length;
}

/** Whether answers are judged by a field. */
function isJudged(header: Headers[number]): boolean {
  return lengths.includes(header[0].length) && names.has(header[0].toLowerCase());
}

const names: ReadonlySet<string> = new Set(answerFields);
const lengths = answerFields.map(({ length }) => length);

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
interface Concerned {
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
