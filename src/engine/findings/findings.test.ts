import { expect, test } from 'vitest';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { isExchange, type Delivery, type Evidence, type Exchange } from '../../core/evidence.ts';
import { Redactor } from '../../core/redact.ts';
import { differs } from '../../judge/kernel/judgement.ts';
import * as is from '../../spec/kernel/value.ts';
import { shownWrong } from './decisive.ts';
import { FindingMaker } from './findings.ts';

const redactor = new Redactor();
redactor.add('topsecret-value', 'webhook secret');

function exchangeWith(key: string | null, target = '/status?checkin_id=a'): Exchange {
  return {
    ...{ id: 'x1', check: 'c', operation: null, enterprise: null, key },
    request: { method: 'GET', baseUrl: 'https://qa.example', target, headers: [], body: null },
    outcome: { kind: 'failure', failure: { reason: 'timeout', message: '', maybeDelivered: true } },
    timings: { sentAt: 0, receivedAt: 0, sent: 0, received: 0 },
  };
}

const delivery: Delivery = {
  ...{ id: 'c1', registration: 'r', method: 'POST', target: '/cb', headers: [], body: new Uint8Array() },
  ...{ truncated: false, startedAt: 0, receivedAt: 0, connection: 'k', answer: '204' },
};

interface Sketch {
  readonly evidence: readonly Evidence[];
  readonly needs?: readonly string[];
  readonly heldKeys?: ReadonlySet<string> | null;
  readonly got?: is.Value;
}

function findingOf({ evidence, needs = [], heldKeys = new Set(['primary#1']), got }: Sketch) {
  const maker = new FindingMaker({ catalogue: loadCatalogue(), redactor, seed: 1, heldKeys });
  const exchanges = evidence.filter(isExchange);
  const violation = {
    requirement: 'WCI-STS-004',
    judgement: differs('code', 'member', 'this', got, got?.kind === 'count' ? counted : undefined),
    evidence,
  };
  return maker.ofViolation(
    {
      failed: { name: '', violations: [violation], generated: null, exchanges },
      violation,
      ...{ shown: 2, tries: 2, hindrance: null },
    },
    { check: { id: 'wci.status.unknown', needs }, seed: 1, cases: 1 },
  );
}

const own = exchangeWith('primary#1');
const counted = ['x1', 'x2'].map((id) => ({ ...own, id }));

test.each<[what: string, sketch: Sketch]>([
  ['a callback decides', { evidence: [own, delivery] }],
  ['the state handler prepared it', { evidence: [own], needs: ['writes', 'state:flights.put'] }],
  ['its key was made for the run', { evidence: [exchangeWith('new-17#1')] }],
  ['its key was issued to the run', { evidence: [exchangeWith('primary#9')] }],
  ['the server ended with the run', { evidence: [own], heldKeys: null }],
  ['nobody could paste it', { evidence: [exchangeWith('primary#1', `/status?x=${'9'.repeat(20_000)}`)] }],
  ['it holds another secret', { evidence: [exchangeWith('primary#1', '/status?x=topsecret-value')] }],
])('no curl where it cannot show the fault: %s', (_what, sketch) => {
  expect(findingOf(sketch).reproduce.curl).toBeNull();
});

test('what a finding takes from an answer has a limit', () => {
  const { actual } = findingOf({ evidence: [own], got: { kind: 'text', text: 'x'.repeat(900_000) } });
  expect(actual).toMatch(/^x{10000}… \(900000 characters in all\)$/);
});

test('of requests that are counted together the last one that is named decides, and none alone shows the fault', () => {
  const got = is.counted('2 requests (x1 … x2) are more than 1 allow', ['x1', 'x2']);
  const found = findingOf({ evidence: [...counted, { ...own, id: 'x3' }], got });
  expect(found.decisive).toBe('x2');
  expect(found.reproduce.curl).toBeNull();
});

test('what decides is named, and is a curl where that shows the fault to anybody with the key', () => {
  const { decisive, reproduce } = findingOf({ evidence: [own] });
  expect(decisive).toBe('x1');
  expect(reproduce.curl).toContain('https://qa.example/status');
  expect(findingOf({ evidence: [own, delivery] }).decisive).toBe('c1');
});

test('a callback is stored without secrets, wherever in it they stand, and not whole if it is long', () => {
  const secret = 'topsecret-value';
  const hostile: Delivery = {
    ...delivery,
    target: `/cb/${secret}?a=${encodeURIComponent(secret)}`,
    headers: [[`x-${secret}`, secret]],
    body: Buffer.from(JSON.stringify({ fid: secret, text: 'x'.repeat(50_000) })),
  };
  const text = JSON.stringify(findingOf({ evidence: [own, hostile] }).case);
  expect(text).not.toContain(secret);
  expect(text).toContain('/cb/‹webhook secret›');
  expect(text.length).toBeLessThan(12_000);
});

test('values hold no secret either, wherever it stands, and are bounded however large an answer is', () => {
  const secret = 'topsecret-value';
  const got = { a: [secret, { [secret]: `x ${secret} y` }], b: 'z'.repeat(500_000), c: Array(9_000).fill(1) };
  const judgement = differs(
    'code',
    `data.${secret}`,
    is.noted(is.value(secret), `as ${secret}`),
    is.value(got),
    [exchangeWith('primary#1', `/status?x=${secret}`)],
  );
  const shown = shownWrong(judgement, redactor);
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect(JSON.stringify(shown).length).toBeLessThan(20_000);
  expect(shown.want).toEqual({ kind: 'value', value: '‹webhook secret›', note: 'as ‹webhook secret›' });
});
