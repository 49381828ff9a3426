import { shownStart } from '../../core/ownStart.ts';
import type { DeliveryLine, ExchangeLine, RecordedBody } from '../../send/journalLine.ts';

/** The line with bodies cut to a readable length. */
export function withShortBodies<T extends ExchangeLine | DeliveryLine>(line: T, most: number): T {
  const short = { ...line, request: withShortBody(line.request, most) };
  return line.type === 'delivery' ? short : { ...short, response: withShortBody(line.response, most) };
}

/** A journal that was edited may lack required parts. */
function withShortBody<P extends { readonly body: RecordedBody } | null>(part: P | undefined, most: number) {
  const body = part?.body ?? null;
  return body === null ? part : { ...part, body: shortBody(body, most) };
}

function shortBody(body: NonNullable<RecordedBody>, most: number): RecordedBody {
  const text = 'text' in body ? body.text : body.base64;
  if (text.length <= most) return body;
  const cut = shownStart(text, most);
  return 'text' in body ? { text: cut } : { base64: cut };
}
