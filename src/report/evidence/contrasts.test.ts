import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { sampleFinding, sampleResult } from '../../../test/support/sampleResult.ts';
import type { ExchangeLine } from '../../send/journalLine.ts';
import { contrastText, spreadText } from '../page/difference.ts';
import { collectEvidence } from './collectEvidence.ts';
import { statusDue } from './contrasts.ts';
import { spoken } from '../../../test/support/spoken.ts';
import { differencesOf, featuresOf } from './likeness.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'gatecheck-'));
});
afterEach(() => rm(dir, { recursive: true }));

type Given = Partial<ExchangeLine> & {
  readonly body?: string;
  readonly status?: number;
  readonly type?: 'exchange';
};

function exchange(id: string, { body = '{}', status = 200, ...given }: Given = {}): ExchangeLine {
  return {
    ...{ type: 'exchange', id, check: 'wci.datetime', operation: 'wci.subscribe', enterprise: 'primary' },
    ...{ key: `issued${id.replace('x', '#')}`, startedAt: '2026-01-31T10:00:00.000Z', durationMs: 1 },
    request: {
      method: 'POST',
      url: 'https://qa.example/extPartner/api/webcheckin/subscribe',
      headers: [['content-type', 'application/json']],
      body: { text: body },
    },
    response: { status, headers: [], body: { text: '{}' }, truncated: false },
    failure: null,
    ...given,
  };
}

const booking = (pnr: string, departure: string) =>
  JSON.stringify({ pnr, flights: [{ origin: 'DXB', departure_datetime: departure }] });

async function collect(lines: readonly ExchangeLine[], given: Parameters<typeof sampleFinding>[0]) {
  const path = join(dir, 'evidence.ndjson');
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const finding = sampleFinding({ exchanges: ['x2'], decisive: 'x2', ...given });
  const { contrasts, spreads } = await collectEvidence(path, sampleResult({ findings: [finding] }), {
    perPage: 0,
  });
  return { contrast: contrasts?.[finding.fingerprint], spreads };
}

describe('the most alike request that was answered as it is due', () => {
  test('shows what is in an object where the other request has a text', () => {
    const told = (here: string, there: string) =>
      differencesOf(featuresOf(exchange('x1', { body: here })), featuresOf(exchange('x2', { body: there })));
    expect(told('{"fid":{"id":"7","n":1}}', '{"fid":"7"}')).toEqual([
      { member: 'fid', here: '{id: "7", n: 1}', there: '"7"' },
    ]);
    expect(told('{"fid":["a","b"]}', '{"fid":"a"}')).toEqual([
      { member: 'fid', here: '["a", "b"]', there: '"a"' },
    ]);
    expect(told(`{"fid":{"id":"${'x'.repeat(100)}"}}`, '{"fid":"7"}')[0]?.here).toBe('{…}');
  });

  test('is of the code that is due, and tells where callbacks were to go', async () => {
    const body = (url: string) => JSON.stringify({ callbackData: { callbackUrl: url } });
    const refusal = (code: string) => ({
      headers: [],
      truncated: false,
      status: 409,
      body: { text: `{"error":"${code}"}` },
    });
    const { contrast } = await collect(
      [
        exchange('x1', { body: body('https://a.example/1'), response: refusal('OTHER_CONFLICT') }),
        exchange('x2', { body: body('https://a.example/2') }),
        exchange('x3', { body: body('https://[::1]/cb'), response: refusal('CALLBACK_CONFLICT') }),
        exchange('x4', { body: body('').replace('""', 'null'), response: refusal('CALLBACK_CONFLICT') }),
      ],
      { expected: 'HTTP 409 CALLBACK_CONFLICT', actual: 'HTTP 200' },
    );
    expect(contrast).toMatchObject({
      id: 'x3',
      differences: [{ member: 'callbackData.callbackUrl', there: '"https://[::1]/cb"' }],
    });
    expect(statusDue(spoken('', 'an answer other than 400', 'HTTP 400'))?.(200)).toBe(true);
  });

  const lines = [
    exchange('x1', { body: booking('AAAAA1', '2026-01-31T12:00:00'), status: 422 }),
    exchange('x2', { body: booking('BBBBB2', '2026-01-31T12:00:00-12:00'), status: 200 }),
    exchange('x3', { body: '{"flights":[]}', status: 422 }),
    exchange('x4', {
      body: booking('CCCCC3', '2026-01-31T12:00:00-12:00'),
      status: 422,
      operation: 'wci.update',
    }),
  ];

  it('is found by what a finding expects, and told by what differs; fresh values are none', async () => {
    const { contrast } = await collect(lines, {
      expected: 'a refusal of this departure',
      actual: 'HTTP 200',
    });
    expect(contrast && contrastText(contrast)).toBe(
      'x1 got HTTP 422 with flights[0].departure_datetime "2026-01-31T12:00:00" (here "2026-01-31T12:00:00-12:00")',
    );
  });

  it('has the same form in the same member, where a form is what is wrong', async () => {
    const body = (first_name: unknown, last_name: unknown, pnr: string) =>
      JSON.stringify({ pnr, flights: [{}], passengers: [{ first_name, last_name }] });
    const named = (id: string, status: number, ...names: Parameters<typeof body>) =>
      exchange(id, { status, operation: 'wci.update', body: body(...names) });
    const sent = named('x2', 200, 'Testa', 5, 'BBBBB2');
    const given = { expected: 'HTTP 400', actual: 'HTTP 200' };
    expect(
      (await collect([named('x1', 400, 5, 'Gatecheck', 'AAAAA1'), sent], given)).contrast,
    ).toBeUndefined();
    expect((await collect([named('x1', 400, 'Testo', 5, 'AAAAA1'), sent], given)).contrast?.id).toBe('x1');
  });

  it.each([
    ['is none where all were answered otherwise', { expected: 'HTTP 404', actual: 'HTTP 200' }],
    ['is none where it is not about a status', { expected: 'a is 1', actual: 'a is 2' }],
    [
      'is none of a journal that lacks the exchange',
      { expected: 'HTTP 422', actual: 'HTTP 200', decisive: 'x9', exchanges: ['x9'] },
    ],
  ])('%s', async (_, given) => {
    expect((await collect(lines, given)).contrast).toBeUndefined();
  });

  test.each([
    ['HTTP 400 VALIDATION_ERROR or HTTP 422 REJECTED', [400, 422]],
    ['one of HTTP 200, 400, 404', [200, 400, 404]],
    ['the request to be accepted', [200]],
    ['something', []],
  ])('%s is due as %j', (expected, due) => {
    const isDue = statusDue(spoken('', expected, 'HTTP 500'));
    expect([200, 400, 404, 422].filter((status) => isDue?.(status))).toEqual(due);
  });
});

it('tells no fresh flight apart, but a number of another form', () => {
  const flight = (number: string) => new Map([['flightNumber', `"${number}"`]]);
  expect(differencesOf(flight('AB123'), flight('CD456'))).toEqual([]);
  expect(differencesOf(flight('AB123'), flight('ab 123'))).toHaveLength(1);
});

describe('a request by its members', () => {
  it('has who asks, the query, headers and parts of a form', () => {
    const body =
      '--b\r\nContent-Disposition: form-data; name="passengers"\r\nContent-Type: text/plain\r\n\r\n[{"a":null}]\r\n--b--';
    const line = exchange('x1', { body });
    const features = featuresOf({ ...line, request: { ...line.request, url: 'https://h/p?page=2' } });
    expect(Object.fromEntries(features)).toEqual({
      'header content-type': 'application/json',
      'passengers[0].a': 'null',
      '?page': '2',
      key: 'issued of primary',
      path: '/p',
    });
  });

  it('differs first by what only one has', () => {
    const differences = differencesOf(
      new Map([
        ['a', '1'],
        ['b', '2'],
      ]),
      new Map([
        ['a', '3'],
        ['c', '4'],
      ]),
    );
    expect(differences.map(({ member }) => member)).toEqual(['b', 'c', 'a']);
  });

  it.each([
    [{ 'a[0]': '"DOH"' }, { a: '"DOH"' }, { member: 'a', here: '["DOH"]', there: '"DOH"' }],
    [
      { a: '"DOH"' },
      { 'a.b.c': '1', 'a.b.d': '2' },
      { member: 'a', here: '"DOH"', there: '{b.c: 1, b.d: 2}' },
    ],
    [{ 'a[0].b': '1' }, { c: '1', 'a[1]': '2' }, { member: 'a[0]', here: '{…}', there: null }],
  ])('%j differs from %j by the whole where one has a list or an object', (here, there, difference) => {
    const of = (members: object) => new Map(Object.entries(members) as [string, string][]);
    expect(differencesOf(of(here), of(there))).toContainEqual(difference);
  });

  it.each(['{"a":', '[[[[[[[[[[[[1]]]]]]]]]]]]', '', `{"${'a'.repeat(70_000)}":1}`])(
    'is taken apart whatever it sends',
    (body) => {
      expect(featuresOf(exchange('x1', { body })).size).toBeGreaterThanOrEqual(3);
    },
  );
});

it('counts which kinds of answers break a rule, and which do not', async () => {
  // One answer breaks it twice.
  const broken = { operation: 'wci.update', status: 400, violated: ['SHR-ERR-002', 'SHR-ERR-002'] };
  const { spreads } = await collect(
    [
      exchange('x1', broken),
      exchange('x2', { ...broken, status: 404 }),
      exchange('x3', { status: 400 }),
      exchange('x4'),
    ],
    {},
  );
  expect(spreadText(spreads?.['SHR-ERR-002'])).toBe(
    'wci.update 400 (1 of 1), wci.update 404 (1 of 1); not in wci.subscribe 400 (0 of 1)',
  );
  expect(spreadText(undefined)).toBeNull();
});

it('has the exchange that made the record of a case, though the case does not name it', async () => {
  const path = join(dir, 'evidence.ndjson');
  const read = exchange('x9');
  const lines = [
    exchange('x3', { body: booking('ABC123', '2026-03-01T08:30:00') }),
    exchange('x4'),
    { ...read, request: { ...read.request, url: 'https://qa.example/status?checkin_id=wci_8Zk2' } },
  ];
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const result = sampleResult({ findings: [sampleFinding({ exchanges: ['x9'], decisive: 'x9' })] });
  const evidence = await collectEvidence(path, { ...result, requirements: [] }, { perPage: 0 });
  expect(Object.keys(evidence.lines).sort()).toEqual(['x3', 'x9']);
  expect(evidence.total).toBe(3);
});
