import { expect, it } from 'vitest';
import { sampleFinding, sampleRequirement, sampleResult } from '../../../test/support/sampleResult.ts';
import type { EvidenceLine } from '../page/pageData.ts';
import { renderConsole } from '../renderConsole.ts';

function exchange(id: string, target: string, answer: string): EvidenceLine {
  return {
    ...{ type: 'exchange', id, check: 'c', operation: null, enterprise: 'primary', key: 'primary#1' },
    ...{ startedAt: `2026-01-31T10:00:0${id.slice(1)}.000Z`, durationMs: 1 },
    request: { method: 'GET', url: `https://qa.example${target}`, headers: [], body: null },
    response: { status: 200, headers: [['Cache-Control', 'x']], body: { text: answer }, truncated: false },
    failure: null,
  };
}

const ids = ['x1', 'x2', 'x3', 'x4', 'x5'];
const lines = Object.fromEntries(
  ids.map((id) => [id, exchange(id, id === 'x5' ? '/last' : '/same', '{"a":1,"booking_id":"17","z":[]}')]),
);
const finding = sampleFinding({
  ...{ expected: 'booking_id is a number', actual: 'booking_id is "17"', code: 'shape:booking_id' },
  ...{ exchanges: ids, decisive: 'x5' },
});

it('shows what happened in numbered steps, alike ones once, and marks what differs', () => {
  const text = renderConsole(sampleResult({ findings: [finding] }), [], { evidence: { lines, states: [] } });
  expect(text.slice(0, text.indexOf('✗ NONCONFORMANT'))).toMatchInlineSnapshot(`
    "1) ✗ fail WCI-STS-004  must · Web Check-in: GET /extPartner/api/webcheckin/status
       Status of an unknown checkin_id is 404 NOT_FOUND.

       1. GET /same with primary#1: HTTP 200  and 3 more like this
       5. GET /last with primary#1: HTTP 200  ← breaks the rule
          answered
            {
              "a": 1,
              "booking_id": "17",  ←
              "z": []
            }

       case     GET /extPartner/api/webcheckin/status?checkin_id=wci_000000000001
       expected booking_id is a number
       actual   booking_id is "17"
                              ^^^^
       look at  What turns the stored attempt into an answer.
       again    gatecheck replay WCI-STS-004.997d5a67

    "
  `);
});

it('says what the request sent that changed the record that is read; of a long one what a callback was registered with', () => {
  const update = (text: string): EvidenceLine => {
    const line = exchange('x1', '/update', '{}');
    return { ...line, request: { ...line.request, body: { text } } } as EvidenceLine;
  };
  const told = (text: string) =>
    renderConsole(sampleResult({ findings: [finding] }), [], {
      evidence: { lines: { ...lines, x4: { ...update(text), id: 'x4' } }, states: [] },
    });
  expect(told('{"checkin_id":"wci_1",\n"pnr":"ABC"}')).toMatch(
    / sent \{"checkin_id":"wci_1",\S?"pnr":"ABC"\}\n/,
  );
  const long = `{"flights":"${'x'.repeat(700)}","callbackData":{"callbackUrl":"https://a.example/1"}}`;
  expect(told(long)).toContain('sent … "callbackData":{"callbackUrl":"https://a.example/1"}}\n');
});

it('says once what is broken by one cause, and what it keeps from being judged', () => {
  const other = {
    ...finding,
    requirement: 'WCI-STS-017',
    fingerprint: 'WCI-STS-017.00000000',
    exchanges: ['x5'],
  };
  const held = sampleRequirement({
    id: 'WCI-UPD-001',
    verdict: 'inconclusive',
    heldBackBy: [finding.fingerprint],
  });
  const result = sampleResult({ findings: [finding, other], requirements: [held] });
  const text = renderConsole(result, [], { evidence: { lines, states: [] } });
  expect(text.match(/^\d+\) /gm)).toHaveLength(1);
  expect(text).toContain('also     WCI-STS-0');
  expect(text).toContain('1 other rule (could not be judged because of it)');
});

it('leaves out the middle of a long case', () => {
  const many = Array.from({ length: 30 }, (_, index) => `x${index}`);
  const long = Object.fromEntries(
    many.map((id, index) => [id, { ...exchange('x1', `/p${index % 2}${index}`, '{}'), id }]),
  );
  const one = sampleFinding({ exchanges: many, decisive: 'x29' });
  const text = renderConsole(sampleResult({ findings: [one] }), [], {
    evidence: { lines: long, states: [] },
  });
  expect(text).toContain('… 21 more steps');
  expect(text).toContain('30. GET /p129 with primary#1: HTTP 200  ← breaks the rule');
});

it('draws what a limiter admitted over time', () => {
  const requests = Array.from({ length: 80 }, (_, index) => ({ atMs: index * 100, admitted: index < 60 }));
  const title = 'Minute limit';
  const limiter = {
    title,
    limit: 60,
    windowMs: 60_000,
    model: null,
    name: 'a rolling log',
    documented: true,
  };
  const limits = {
    limiters: [{ ...limiter, contradictions: [], notTried: [] }],
    timelines: [{ title, limit: 60, windowMs: 60_000, requests }],
  };
  const text = renderConsole(sampleResult({ limits, findings: [] }), []);
  expect(text).toMatch(/admitted █{20}[▁-█]*▁+ 60 over 7\.9 s/);
  expect(text).toMatch(/refused {2}▁+█+ 20/);
  // Next to other failures, a limit that is as documented is no news.
  expect(renderConsole(sampleResult({ limits }), [])).not.toContain('admitted');
});
