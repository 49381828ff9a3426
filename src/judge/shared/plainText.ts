import type { Exchange } from '../../core/evidence.ts';
import { inFrontOf } from '../kernel/answer.ts';
import { bodyOf, responseOf } from '../kernel/body.ts';
import { holds, differs } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import * as is from '../../spec/kernel/value.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';

/** JSON starts with its first value: a byte order mark is not part of it (RFC 8259, 8.1), and many parsers reject it. */
export const plainText: Oracle = {
  id: 'plain-text',
  title: 'No JSON body begins with a byte order mark',
  verifies: ['SHR-ERR-038'],
  judges: 'answers',
  createWatch: () => ({ exchange: judge }),
};

const mark = [0xef, 0xbb, 0xbf] as const;

function judge(exchange: Exchange): readonly Sample[] {
  const response = responseOf(exchange);
  if (!response || !exchange.operation || bodyOf(response).kind !== 'json') return noSamples;
  if (inFrontOf(exchange, response) !== null) return noSamples;
  const isMarked = mark.every((byte, at) => response.body[at] === byte);
  if (!isMarked) return [sampleOf('SHR-ERR-038', holds)];
  const want = is.text('a body that begins with its JSON');
  const got = is.text('a byte order mark (EF BB BF) in front of it');
  return [sampleOf('SHR-ERR-038', differs('mark', 'body', want, got))];
}
