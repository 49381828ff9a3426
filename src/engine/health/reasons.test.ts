import { expect, test } from 'vitest';
import { exchange, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import { describeWrongServer } from './reasons.ts';

const html = [['Content-Type', 'text/html']] as const;

test.each<[sketch: Omit<ExchangeSketch, 'operation'>, words: RegExp]>([
  [{ status: 403, raw: 'no', headers: html }, /HTTP 403.*\(text\/html\).*firewall/],
  [{ status: 407, raw: 'no' }, /http\.proxy/],
  [{ status: 401, raw: 'no' }, /http\.headers/],
  [
    { status: 302, raw: '', headers: [['Location', 'https://login.example/x']] },
    /https:\/\/login\.example\/x/,
  ],
  [{ status: 503, raw: 'no' }, /behind that gateway/],
  [{ raw: '<html>', headers: html }, /login page/],
])('%o is told with what to do', (sketch, words) => {
  expect(describeWrongServer(exchange({ operation: 'wci.list', ...sketch }))).toMatch(words);
});
