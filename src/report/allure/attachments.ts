import type { Headers } from '../../core/evidence.ts';
import { isTooDeep } from '../../core/tooDeep.ts';
import type { DeliveryLine, ExchangeLine, RecordedBody } from '../../send/journalLine.ts';
import { printable, shorten } from '../text/printable.ts';

const longest = 50_000;

/** An exchange or a callback as text: what was sent, and what was answered. */
export function wireText(line: ExchangeLine | DeliveryLine): string {
  if (line.type === 'delivery') {
    const { method, target, headers, body } = line.request;
    return messages([`${method} ${target}`, headers, body], [`answered ${line.answer}`, [], null]);
  }
  const { request, response, failure } = line;
  const asked = [`${request.method} ${request.url}`, request.headers, request.body] as const;
  if (response === null)
    return messages(asked, [`no answer: ${failure?.reason ?? ''} ${failure?.message ?? ''}`, [], null]);
  return messages(asked, [`HTTP ${response.status}`, response.headers, response.body]);
}

type Message = readonly [first: string, headers: Headers, body: RecordedBody];

function messages(...both: readonly [Message, Message]): string {
  return both
    .map(([first, headers, body]) =>
      [first, ...headers.map(([name, value]) => `${name}: ${value}`), '', bodyText(body)]
        .join('\n')
        .trimEnd(),
    )
    .map((text) => printable(shorten(text, longest)).toWellFormed())
    .join('\n\n');
}

/** JSON is indented for reading; of bytes that are not text, only the number is shown. */
function bodyText(body: RecordedBody): string {
  if (body === null) return '';
  if ('base64' in body) return `(${Buffer.byteLength(body.base64, 'base64')} bytes that are not text)`;
  try {
    return body.text.length > longest || isTooDeep(body.text)
      ? body.text
      : JSON.stringify(JSON.parse(body.text), null, 2);
  } catch {
    return body.text;
  }
}
