import { describe, expect, test } from 'vitest';
import { difference, type TextPart } from './difference.ts';
import { bodyLines, partsOf } from './jsonView.ts';
import { grouped } from './findingStory.ts';
import { bodyText, momentsOf, type Moment } from './moments.ts';
import { noEvidence, type PageEvidence } from './pageData.ts';
import { find, indexOf } from './search.ts';
import { withLinks } from './ruleView.ts';
import { renderCauseBody } from './causeView.ts';
import { sampleFinding, sampleRequirement, sampleResult } from '../../../test/support/sampleResult.ts';

/** Marked parts in brackets. */
function shown(parts: readonly TextPart[]): string {
  return parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');
}

describe('a difference', () => {
  test.each([
    ['fid "0003894812811"', 'fid "3894812811"', 'fid "[000]3894812811"', 'fid "[‸]3894812811"'],
    ['booking_id is a number', 'booking_id is "9"', 'booking_id is [a number]', 'booking_id is ["9"]'],
    ['HTTP 404 NOT_FOUND', 'HTTP 403 FORBIDDEN (no)', 'HTTP [404 NOT_FOUND]', 'HTTP [403 FORBIDDEN (no)]'],
    ['the value as it is', 'nothing of the kind', 'the value as it is', 'nothing of the kind'],
  ])('of %s and %s is marked at its place', (expected, actual, want, got) => {
    expect(difference(expected, actual).map(shown)).toEqual([want, got]);
  });

  test('of a text that is cut within a word is at the cut', () => {
    const [, got] = difference(`fid "5l96${'F'.repeat(80)}…`, `fid "5l96${'F'.repeat(40)}"`);
    expect(shown(got)).toMatch(/^fid "5l96F{40}\["\]$/);
  });

  test('of long texts shows what surrounds it', () => {
    const [want, got] = difference(`${'a b '.repeat(60)}x tail`, `${'a b '.repeat(60)}y tail`);
    expect(shown(want)).toMatch(/^…[ab ]{48}\[x\] tail$/);
    expect(shown(got).length).toBeLessThan(70);
  });
});

describe('a body', () => {
  test('is indented with values as they were spelled, and the member marked', () => {
    const lines = bodyLines('{"a":1.50,"list":[{"gate":"\\u0041"},[]],"none":{}}', 'gate');
    expect(lines.map(({ text, marked }) => (marked ? `> ${text}` : text))).toEqual([
      '{',
      '  "a": 1.50,',
      '  "list": [',
      '    {',
      '>       "gate": "\\u0041"',
      '    },',
      '    []',
      '  ],',
      '  "none": {}',
      '}',
    ]);
  });

  test.each([
    ['departure.gate', '[{"departure":{"gate":null}},{"gate":1}]', ['      "gate": null']],
    ['missing_info', '{"missing_info":["a","b"]}', ['  "missing_info": [', '    "a",', '    "b"', '  ]']],
    ['[0].id', '[{"id":1},{"id":2}]', ['    "id": 1']],
  ])('has %s marked, by its path', (member, text, marked) => {
    const lines = bodyLines(text, member);
    expect(lines.filter((line) => line.marked).map((line) => line.text)).toEqual(marked);
  });

  test('of a list has the member marked that holds the value, else all', () => {
    const text = '[{"a":[]},{"a":["x","y"]},{"a":1}]';
    const marked = (value: string) =>
      bodyLines(text, 'a', value)
        .filter((line) => line.marked)
        .map((line) => line.text.trim());
    expect(marked('["x", "y"]')).toEqual(['"a": [', '"x",', '"y"', ']']);
    expect(marked('[]')).toEqual(['"a": []']);
    expect(marked('"other"')).toHaveLength(6);
  });

  test('that is no JSON stays as it is', () => {
    expect(bodyLines('<h1>{no</h1>', null).map(({ text }) => text)).toEqual(['<h1>{no</h1>']);
  });

  test('that is long shows the mark, its neighbours and what it is in; the rest is away, and nothing is lost', () => {
    const data = Array.from({ length: 200 }, (_, id) => ({ id }));
    const lines = bodyLines(JSON.stringify({ data, pagination: { page: 0, limit: 99, total: 1 } }), 'limit');
    const parts = partsOf(lines);
    expect(parts.map(({ isAway, lines: { length } }) => [isAway, length])).toEqual([
      [false, 1],
      [true, 602],
      [false, 6],
    ]);
    expect(parts[2]?.lines.map(({ text }) => text.trim())).toEqual([
      ...['"pagination": {', '"page": 0,', '"limit": 99,', '"total": 1', '}', '}'],
    ]);
    expect(parts.flatMap((part) => part.lines)).toEqual(lines);
  });

  test.each(['gate', 'departure.gate'])('is indented below many levels, with %s sought', (member) => {
    const lines = bodyLines(`${'['.repeat(480)}${'1,'.repeat(4_000)}1${']'.repeat(480)}`, member);
    expect(lines.length).toBe(480 + 4_001 + 480);
    expect(lines.some(({ marked }) => marked)).toBe(false);
  });

  test.each([1_000, 4_000])(
    'of %i levels is no JSON to indent: each line would name all levels above it',
    (levels) => {
      const text = '['.repeat(levels) + ']'.repeat(levels);
      expect(bodyLines(text, 'gate')).toEqual([{ text, marked: false }]);
      expect(bodyLines('['.repeat(100) + '1' + ']'.repeat(100), null).length).toBeGreaterThan(1);
    },
  );
});

function exchangeLine(
  id: string,
  at: number,
  url = '/extPartner/api/flight-alerts/subscribe',
): PageEvidence['lines'][string] {
  return {
    type: 'exchange',
    ...{ id, check: 'c', operation: null, enterprise: null, key: 'issued#1', failure: null, durationMs: 1 },
    startedAt: new Date(at).toISOString(),
    request: { method: 'POST', url: `http://t${url}`, headers: [], body: { text: '{"flightNumber":"EQ1"}' } },
    response: { status: 200, headers: [], body: null, truncated: false },
  };
}

const state = (at: number, name: string, params: string): PageEvidence['states'][number] => ({
  type: 'event',
  at: new Date(at).toISOString(),
  name: 'state-set',
  data: { state: name, params, error: null },
});

describe('what happened', () => {
  const lines = { x1: exchangeLine('x1', 100), x2: exchangeLine('x2', 300) };
  const evidence = (states: PageEvidence['states']): PageEvidence => ({ ...noEvidence, lines, states });
  const happened = (states: PageEvidence['states']) =>
    momentsOf(sampleFinding({ exchanges: ['x1', 'x2', 'x404'] }), evidence(states)).map((one) =>
      one.kind === 'state' ? one.line.data.state : one.id,
    );

  test('stands in the order of time, with states of the same flight, and those of nobody while it ran', () => {
    const put = state(50, 'flights.put', '{"flightNumber":"EQ1"}');
    const other = state(200, 'flights.change', '{"flightNumber":"EQ2"}');
    const fails = state(200, 'provider.fail', '{"mode":"unavailable"}');
    const early = state(10, 'automation.set', '{"mode":"manual"}');
    expect(happened([put, other, fails, early])).toEqual(['flights.put', 'x1', 'provider.fail', 'x2']);
  });

  test('has alike steps as one, but for the decisive and the one before it that asked for something', () => {
    const moments = Array.from({ length: 5 }, (_, index): Moment => {
      const id = `x${index}`;
      return { kind: 'exchange', at: index, id, line: exchangeLine(id, index) as never };
    });
    const sizes = grouped(moments, 'x4').map((group) => [group.moments.length, group.isDecisive]);
    expect(sizes).toEqual([
      [3, false],
      [1, false],
      [1, true],
    ]);
  });
});

test('pages of a list are steps of their own, and so are the requests that may have changed the record that is read', () => {
  const step = (index: number, path: string, sent = ''): Moment => {
    const line = exchangeLine(`x${index}`, index);
    const request = {
      ...line.request,
      url: `https://qa.example${path}`,
      body: sent === '' ? null : { text: sent },
    };
    return { kind: 'exchange', at: index, id: `x${index}`, line: { ...line, request } as never };
  };
  const pages = [0, 1, 2].map((page) => step(page, `/requests?page=${page}&limit=2`));
  expect(grouped(pages, null)).toHaveLength(3);
  const updates = ['wci_a123', 'wci_a123', 'wci_a123', 'wci_b123', 'wci_b123', 'wci_b123'];
  const moments = [
    ...updates.map((id, index) => step(index, '/update', `{"checkin_id":"${id}"}`)),
    step(6, '/status?checkin_id=wci_a123'),
  ];
  const groups = grouped(moments, 'x6');
  const telling = (of: typeof groups) =>
    of.filter(({ isInformative }) => isInformative).map(({ moments: [first] }) => first.id);
  expect(telling(groups)).toEqual(['x0', 'x1', 'x2']);
  expect(groups.map(({ moments: alike }) => alike.length)).toEqual([1, 1, 1, 3, 1]);
  // What came before the last read of the record was seen there.
  const read = step(1, '/status?checkin_id=wci_a123');
  expect(telling(grouped([moments[0], read, ...moments.slice(2)] as Moment[], 'x6'))).toEqual(['x2']);
});

test('refusals that say different things are steps of their own, those that differ in numbers and ids are alike', () => {
  const refused = (index: number, message: string): Moment => {
    const line = exchangeLine(`x${index}`, index);
    const response = {
      ...{ status: 404, headers: [], truncated: false },
      body: { text: `{"error":"NOT_FOUND","message":"${message}"}` },
    };
    return { kind: 'exchange', at: index, id: `x${index}`, line: { ...line, response } as never };
  };
  const told = ['no 17', 'no 18', 'no wci_a1b2c3d4', 'not yours', 'not yours', 'not yours'];
  const ordinary = told.map((message, index) => refused(index, message));
  expect(grouped(ordinary, null).map(({ moments }) => moments.length)).toEqual([1, 1, 1, 3]);
  const alike = ['no wci_a1b2c3d4', 'no wci_b1b2c3d4', 'no wci_c1b2c3d5'];
  expect(
    grouped(
      alike.map((text, index) => refused(index, text)),
      null,
    ),
  ).toHaveLength(1);
});

test('a part of a multipart body that is JSON is indented, and line ends leave no mark', () => {
  const part = JSON.stringify([
    { first_name: 'Testa', last_name: 'Gatecheck', email: 'gatecheck@example.com', phone: '1' },
  ]);
  const lines = bodyLines(`--b\r\nContent-Type: text/plain\r\n\r\n${part}\r\n--b--`, 'email');
  expect(lines.map(({ text }) => text)).toContain('    "first_name": "Testa",');
  expect(lines.filter(({ marked }) => marked).map(({ text }) => text.trim())).toEqual([
    '"email": "gatecheck@example.com",',
  ]);
  expect(lines.some(({ text }) => text.includes('\r'))).toBe(false);
});

test('ids in a reason lead to where they stand, and nothing else does', () => {
  expect(withLinks('x601 broke WCI-SUB-007 <b>').markup).toBe(
    '<a href="#evidence/x601">x601</a> broke <a href="#WCI-SUB-007">WCI-SUB-007</a> &lt;b&gt;',
  );
});

test('search finds all kinds by all words', () => {
  const found = find(indexOf(sampleResult(), noEvidence), 'unknown CHECKIN_ID');
  expect(found.map(({ kind, total }) => [kind, total])).toEqual([
    ['Findings', 1],
    ['Requirements', 1],
  ]);
  expect(find(indexOf(sampleResult(), noEvidence), ' ')).toEqual([]);
});

test('the rule of a finding is quoted from its document, and told in words of the catalogue if no sentence says it alone', () => {
  const lead = sampleFinding();
  const cause = { lead, others: [], broken: [lead.requirement], heldBack: [] };
  const shownFor = (given: Parameters<typeof sampleRequirement>[0]) => {
    const rule = sampleRequirement({ id: lead.requirement, title: 'Unknown ids are 404.', ...given });
    const rules = new Map([[rule.id, rule]]);
    return renderCauseBody(cause, {
      ...{ evidence: noEvidence, rules, effects: [], since: {}, limits: undefined },
    }).markup;
  };
  expect(shownFor({ quote: 'A missing one is <404>.' })).toContain(
    '<blockquote>A missing one is &lt;404&gt;.</blockquote>',
  );
  expect(shownFor({})).toContain('<blockquote>Unknown ids are 404.</blockquote>');
});

test('the request that made the record of a case is folded below its steps, without a link in its summary', () => {
  const line = (id: string, url: string, text: string): PageEvidence['lines'][string] => ({
    ...{ type: 'exchange', id, check: 'c', operation: 'wci.subscribe', enterprise: 'primary' },
    ...{ key: 'primary#1', startedAt: '2026-01-31T10:00:00.000Z', durationMs: 1, failure: null },
    request: { method: 'POST', url: `https://qa.example${url}`, headers: [], body: { text } },
    response: { status: 200, headers: [], body: { text: '{}' }, truncated: false },
  });
  const { sideEffects: effects } = sampleResult();
  const lead = sampleFinding({ exchanges: ['x9'], decisive: 'x9' });
  const cause = { lead, others: [], broken: [lead.requirement], heldBack: [] };
  const lines = {
    x9: line('x9', '/status?checkin_id=wci_8Zk2', ''),
    x3: line('x3', '/subscribe', '{"pnr":"A1"}'),
  };
  const shownWith = (given: PageEvidence['lines']) =>
    renderCauseBody(cause, {
      evidence: { ...noEvidence, lines: given },
      rules: new Map(),
      effects,
      limits: undefined,
      since: {},
    }).markup;
  const summary = /<summary class="soft">([^]*?)<\/summary>/.exec(shownWith(lines))?.[1] ?? '';
  expect(summary).toContain('wci_8Zk2 was made in x3 with key primary#1');
  expect(summary).not.toContain('<a ');
  expect(shownWith(lines)).toContain('A1');
  expect(shownWith({ x9: lines.x9 })).toContain('<a href="#evidence/x3">x3</a>');
});

test('of a multipart body with a file, the text parts are shown as text', () => {
  const head = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
  const body = Buffer.from(`${head('pnr')}ABC\r\n${head('file')}\u00ff\u00fe\u0000\r\n--b--\r\n`, 'latin1');
  expect(bodyText({ base64: body.toString('base64') })).toBe(
    `${head('pnr')}ABC\r\n${head('file')}(3 bytes that are not text)\r\n--b--\r\n`,
  );
  expect(bodyText({ base64: 'AAEC' })).toContain('in base64: AAEC');
});
