import { expect, test } from 'vitest';
import { sampleFinding, sampleResult } from '../../../test/support/sampleResult.ts';
import { renderConsole } from '../renderConsole.ts';
import { renderHappened } from './happenedView.ts';
import { noEvidence, type EvidenceLine, type StateLine } from './pageData.ts';

const at = (second: number) => `2026-01-31T10:00:${String(second).padStart(2, '0')}.000Z`;

function exchange(
  second: number,
  url: string,
  sent: object | null,
  answer: object,
  status = 200,
): EvidenceLine {
  return {
    ...{ type: 'exchange', id: `x${second}`, check: 'c', operation: null, enterprise: 'primary' },
    ...{ key: 'issued#1', startedAt: at(second), durationMs: 1, failure: null },
    request: {
      ...{ method: sent === null ? 'GET' : 'POST', url: `https://qa.example${url}`, headers: [] },
      body: sent === null ? null : { text: JSON.stringify(sent) },
    },
    response: { status, headers: [], body: { text: JSON.stringify(answer) }, truncated: false },
  };
}

function callback(second: number, body: object): EvidenceLine {
  return {
    ...{
      type: 'delivery',
      id: `c${second}`,
      startedAt: at(second),
      durationMs: 1,
      answer: '200',
      check: 'c',
    },
    request: { method: 'POST', target: '/sink/1', headers: [], body: { text: JSON.stringify(body) } },
  } as unknown as EvidenceLine;
}

function state(second: number, name: string, params: object): StateLine {
  const data = { state: name, params: JSON.stringify(params), error: null };
  return { type: 'event', name: 'state-set', at: at(second), data } as unknown as StateLine;
}

const linesOf = (lines: readonly EvidenceLine[]) => Object.fromEntries(lines.map((line) => [line.id, line]));

function shownIn(
  given: Parameters<typeof sampleFinding>[0],
  evidence: { lines: readonly EvidenceLine[]; states?: readonly StateLine[] },
): { readonly terminal: string; readonly page: string } {
  const finding = sampleFinding(given);
  const shown = { ...noEvidence, lines: linesOf(evidence.lines), states: evidence.states ?? [] };
  return {
    terminal: renderConsole(sampleResult({ findings: [finding] }), [], { evidence: shown }),
    page: renderHappened(finding, { evidence: shown, effects: [] } as never)?.markup ?? '',
  };
}

test('every request that may have changed the record is shown with its body, also one by the booking', () => {
  const read = '/webcheckin/status?checkin_id=wci_abcd';
  const lines = [
    exchange(1, read, null, { sub_status: 'A', booking_id: 4711 }),
    exchange(2, '/webcheckin/update', { checkin_id: 'wci_abcd', n: 'first' }, {}, 404),
    exchange(3, '/webcheckin/update', { booking_id: '4711', n: 'second' }, {}, 404),
    exchange(4, '/webcheckin/update', { checkin_id: 'wci_other', n: 'third' }, {}, 404),
    exchange(5, read, null, { sub_status: 'B', booking_id: 4711 }),
  ];
  const { terminal } = shownIn(
    {
      ...{ requirement: 'WCI-SCP-006', expected: 'sub_status "A"', actual: 'sub_status "B"' },
      ...{ exchanges: lines.map(({ id }) => id), decisive: 'x5' },
    },
    { lines },
  );
  expect(terminal.match(/ sent \{.*/g)).toEqual([
    ' sent {"checkin_id":"wci_abcd","n":"first"}',
    ' sent {"booking_id":"4711","n":"second"}',
  ]);
});

test('a fid that another registration has is told with the request that registered it', () => {
  const lines = [
    exchange(1, '/subscribe', { callbackData: { fid: '00other-1' } }, {}),
    exchange(2, '/subscribe', { callbackData: { fid: '00own-22' } }, {}),
    callback(3, { fid: '00other-1', changes: {} }),
  ];
  const given = {
    ...{ requirement: 'FLA-CB-006', expected: 'fid "00own-22"', actual: 'fid "00other-1"' },
    ...{ exchanges: ['x2', 'c3'], decisive: 'c3' },
  };
  const { terminal, page } = shownIn(given, { lines });
  expect(terminal).toContain('fid      fid "00other-1" was registered in x1 with key issued#1');
  expect(page.replaceAll('&quot;', '"')).toContain('fid "00other-1" was registered in x1');
  // Within one case, that request is a step of it, which is shown.
  const both = shownIn({ ...given, exchanges: ['x1', 'x2', 'c3'] }, { lines });
  expect(both.terminal).toContain('sent {"callbackData":{"fid":"00other-1"}}');
  expect(both.terminal).not.toContain('was registered in');
});

test('where no callback came, no callback that came is blamed, but the change that it should have told', () => {
  const flight = { flightNumber: 'QR1' };
  const lines = [
    exchange(1, '/subscribe', { ...flight, callbackData: { fid: '00own-22' } }, {}),
    callback(3, { fid: '00own-22', changes: { departure: { gate: 'G1' } } }),
    exchange(4, '/subscribe', flight, {}),
  ];
  const change = (second: number, gate: string) =>
    state(second, 'flights.change', { ...flight, changes: { departure: { gate } } });
  const { terminal, page } = shownIn(
    {
      ...{ requirement: 'FLA-CB-019', expected: 'a notification that the gate is G2', actual: 'none' },
      ...{ exchanges: ['x1', 'c3', 'x4'], decisive: 'c3' },
    },
    { lines, states: [change(2, 'G1'), change(5, 'G2')] },
  );
  expect(terminal).toMatch(/ 5\. state flights\.change .*G2.* {2}← no callback came\n/);
  expect(terminal).not.toContain('breaks the rule');
  expect(page).toMatch(/class="decisive" value="5">[^]*flights\.change[^]*no callback came/);
});

test('the value that a case is named after is marked in its request', () => {
  const sent = { pnr: 'ABC123', note: 'x', passengers: [{ date_of_birth: '1990-13-45' }] };
  const { terminal, page } = shownIn(
    {
      ...{ requirement: 'WCI-SUB-074', counterexample: 'date of birth "1990-13-45", subscribe' },
      ...{ expected: 'a missing_info that is not empty', actual: 'missing_info []' },
      ...{ exchanges: ['x1'], decisive: 'x1' },
    },
    { lines: [exchange(1, '/subscribe', sent, { missing_info: [] })] },
  );
  expect(terminal).toContain('"date_of_birth": "1990-13-45"  ←');
  expect(page).toMatch(/<mark>[^<]*1990-13-45/);
});

test('a request without a key or with an empty one is told as such', () => {
  const line = (key: string | null) => ({ ...exchange(1, '/list', null, {}), key }) as EvidenceLine;
  const told = (key: string | null) =>
    shownIn({ exchanges: ['x1'], decisive: 'x1' }, { lines: [line(key)] }).terminal;
  expect(told(null)).toContain('GET /list without a key: HTTP 200');
  expect(told('empty')).toContain('GET /list with an empty key: HTTP 200');
});
