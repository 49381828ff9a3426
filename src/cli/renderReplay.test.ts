import { expect, it } from 'vitest';
import { sampleFinding } from '../../test/support/sampleResult.ts';
import { plainPalette } from '../core/palette.ts';
import type { ExchangeLine } from '../send/journalLine.ts';
import { renderReplay } from './renderReplay.ts';

function exchange(id: string, url: string, answer: object): [string, ExchangeLine] {
  const line: ExchangeLine = {
    ...{ type: 'exchange', id, check: 'c', operation: null, enterprise: null, key: null },
    ...{ startedAt: '2026-01-31T10:00:00.000Z', durationMs: 1, failure: null },
    request: { method: 'GET', url: `https://qa.example${url}`, headers: [], body: null },
    response: { status: 200, headers: [], body: { text: JSON.stringify(answer) }, truncated: false },
  };
  return [id, line];
}

const finding = sampleFinding({ exchanges: ['x1', 'x2'] });
const evidence = new Map([
  exchange('x1', '/a?id=1', { checkin_id: 'wci_8Zk2aaaa', at: '2026-01-31T10:00:00.000Z' }),
  exchange('x2', '/b', { checkin_id: 'wci_8Zk2aaaa', booking_id: 'no number', page: 1, rest: [] }),
]);
const step = (request: string, body: object | null, now = 'HTTP 200') => ({
  ...{ request, then: 'HTTP 200', now },
  body: body === null ? null : JSON.stringify(body),
});

it('shows what differs from the answers of the run, but for ids and times', () => {
  const steps = [
    step('GET /a', { checkin_id: 'wci_9Xyzbbbb', at: '2026-02-01T11:11:11.111Z' }),
    step('GET /b', { checkin_id: 'wci_9Xyzbbbb', booking_id: 17, page: 2, rest: [] }),
  ];
  const output = { verdict: 'FIXED' as const, reason: 'the rule held', steps };
  expect(renderReplay(finding, output, { evidence, palette: plainPalette })).toMatchInlineSnapshot(`
    "FIXED  WCI-STS-004.997d5a67
      the rule held
      1. GET /a  HTTP 200
      2. GET /b  HTTP 200
             {
               "checkin_id": "wci_9Xyzbbbb",
           -   "booking_id": "no number",
           -   "page": 1,
           +   "booking_id": 17,
           +   "page": 2,
               "rest": []
             }
    "
  `);
});

it('shows the last answer whole where nothing differs, and nothing of what was not sent again', () => {
  const same = { checkin_id: 'wci_9Xyzbbbb', booking_id: 'no number', page: 1, rest: [] };
  const output = {
    verdict: 'FAILS' as const,
    reason: 'expected a\u001b[2J; got b',
    steps: [step('GET /a', null), step('GET /b', same)],
  };
  const text = renderReplay(finding, output, { evidence, palette: plainPalette });
  expect(text).not.toContain('\u001b');
  expect(text.split('\n').filter((line) => line.includes('"'))).toHaveLength(4);
  expect(renderReplay(finding, output, { evidence: new Map(), palette: plainPalette })).toBe(text);
});
