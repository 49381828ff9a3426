import type { Exchange, Headers, RecordedResponse } from '../core/evidence.ts';
import { mostShort, shortBytes } from '../core/bytes.ts';
import { responseOf } from '../judge/kernel/body.ts';
import type { Oracle, Watch } from '../judge/kernel/oracle.ts';
import { answerFields } from '../spec/grammar/headers.ts';
import type { Sample } from '../judge/kernel/sample.ts';

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
export class CountedAnswers {
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
