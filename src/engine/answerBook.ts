import type { Exchange, RecordedResponse } from '../core/evidence.ts';
import { mostShort, shortBytes } from '../core/bytes.ts';
import { responseOf } from '../judge/kernel/body.ts';
import { judgedFields } from '../judge/kernel/oracle.ts';
import type { Sample } from '../judge/kernel/sample.ts';

interface Judged {
  readonly status: number;
  readonly truncated: boolean;
  readonly fields: string;
  readonly samples: readonly Sample[];
}

/** What holds of the answers to one operation that came lately: most answers of a run have come before. */
export class AnswerBook {
  readonly #judged = new Map<Uint8Array, Judged>();

  /** What was said of an equal answer; null where nothing is known of any. */
  find(exchange: Exchange): readonly Sample[] | null {
    const response = responseOf(exchange);
    const known = response ? this.#judged.get(response.body) : undefined;
    return known && isSame(response, known) ? known.samples : null;
  }

  /** Only what holds of all such answers is kept. */
  keep(exchange: Exchange, samples: readonly Sample[]): void {
    const response = responseOf(exchange);
    if (!response || response.body.length >= shortBytes || !samples.every(isGeneral)) return;
    if (this.#judged.size >= mostShort) this.#judged.clear();
    const { status, truncated, body } = response;
    this.#judged.set(body, { status, truncated, fields: fieldsOf(response), samples });
  }
}

function isGeneral({ judgement: { status }, evidence }: Sample): boolean {
  return evidence === undefined && (status === 'holds' || status === 'not-applicable');
}

function isSame(response: RecordedResponse | null, { status, truncated, fields }: Judged): boolean {
  return response?.status === status && response.truncated === truncated && fieldsOf(response) === fields;
}

/** The fields by which answers are judged, as text. */
function fieldsOf({ headers }: RecordedResponse): string {
  let fields = '';
  for (const header of headers)
    if (lengths.includes(header[0].length) && names.has(header[0].toLowerCase()))
      fields += `${header[0]}:${header[1]}\n`;
  return fields;
}

const names: ReadonlySet<string> = new Set(judgedFields);
const lengths = judgedFields.map(({ length }) => length);
