import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { documentedHeaders } from '../../test/support/judge/exchanges.ts';
import { operationIds, operations } from '../core/operations.ts';
import { resolveSettings } from '../settings/settings.ts';
import { judgeRecorded, type JudgeOptions } from './judge.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-judge-'));
afterAll(() => rmSync(folder, { recursive: true }));

const base = 'https://partner.example';
const start = Date.parse('2026-07-01T10:00:00.000Z');
let second = 0;
beforeEach(() => {
  second = 0;
});

interface Sketch {
  readonly method?: string;
  readonly url: string;
  readonly sent?: unknown;
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answerHeaders?: Readonly<Record<string, string>>;
}

/** An entry as a proxy records it, a second after the one before. */
function entry({ method = 'GET', url, sent, status = 200, body, headers = {}, answerHeaders = {} }: Sketch) {
  second += 1;
  const at = new Date(start + second * 1000);
  const text = JSON.stringify(body);
  return {
    startedDateTime: at.toISOString(),
    time: 20,
    request: {
      ...{ method, url, headers: fields(headers) },
      ...(sent === undefined
        ? {}
        : { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
    },
    response: {
      status,
      headers: fields({
        ...Object.fromEntries(
          documentedHeaders(operationAt(url), status).map(([name, value]) => [name.toLowerCase(), value]),
        ),
        ...{ date: at.toUTCString(), ...answerHeaders },
      }),
      content: { size: text.length, text },
    },
  };
}

const operationAt = (url: string) =>
  operationIds.find((id) => new URL(url).pathname === operations[id].path) ?? null;
const fields = (of: Readonly<Record<string, string>>) =>
  Object.entries(of).map(([name, value]) => ({ name, value }));
const time = (seconds: number) => new Date(start + seconds * 1000).toISOString();

const record = (changes: object = {}) => ({
  ...{ success: true, checkin_id: 'chk_0000000001', booking_id: 7, status: 'SCHEDULED' },
  ...{ sub_status: 'COMPLETE_INFO', checkin_message: 'ok', missing_info: [], boarding_passes: [] },
  ...{ last_updated: time(1), ...changes },
});

function status(changes: object = {}, key = 'key-one-of-the-partner') {
  const url = `${base}/extPartner/api/webcheckin/status?checkin_id=chk_0000000001`;
  return entry({ url, headers: { 'X-API-Key': key, Cookie: 'sid=cookie-value-1' }, body: record(changes) });
}

const callbackData = {
  callbackUrl: 'https://hooks.partner.example/checkin',
  auth_header: 'X-API-Key: callback-secret-1',
};

function subscribe(key = 'key-one-of-the-partner', message = 'SCHEDULED') {
  return entry({
    method: 'POST',
    url: `${base}/extPartner/api/webcheckin/subscribe`,
    headers: { 'X-API-Key': key },
    sent: { pnr: 'ABC123', flights: [], passengers: [], callbackData },
    body: { ...record(), message, status_message: 'ok', quota: { included_units: 9, consumed_units: 1 } },
  });
}

function callback(id: string, headers: Readonly<Record<string, string>>, status = 'COMPLETED') {
  const sent = { occurredAt: time(second), checkin_id: id, changes: { status } };
  return entry({ method: 'POST', url: 'https://hooks.partner.example/checkin', sent, headers, body: {} });
}

async function judge(
  entries: readonly unknown[],
  more: Partial<JudgeOptions> & { readonly other?: string } = {},
) {
  const file = join(folder, 'traffic.har');
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries } }));
  const { other, ...options } = more;
  const keys = { primary: 'env:ONE', other: 'env:TWO' };
  const env = { ONE: 'key-one-of-the-partner', TWO: other };
  const config = { reportDir: join(folder, 'report'), ...(other === undefined ? {} : { keys }) };
  const notices: string[] = [];
  const output = await judgeRecorded(resolveSettings({ target: 'embedded', ...config }, { env }), {
    ...{ files: [file], targets: [], isOneEnterprise: false, apis: null },
    ...{ command: 'gatecheck judge traffic.har', root: folder, notice: (text) => notices.push(text) },
    ...options,
  });
  const { result, exitCode } = output;
  const verdicts = new Map(result.requirements.map(({ id, verdict, reason }) => [id, { verdict, reason }]));
  const bad = result.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  return { result, exitCode, notices, verdicts, bad: bad.map(({ id }) => id) };
}

/** The files of the last report. */
function writtenTexts(): readonly string[] {
  const report = join(folder, 'report');
  const files = readdirSync(report, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
}

test('a recording without a fault is partial: what it cannot show is skipped, and the other API does not count', async () => {
  const { result, exitCode, verdicts, bad } = await judge([subscribe(), status(), status()]);
  expect([exitCode, result.summary.verdict, bad]).toEqual([0, 'partial', []]);
  expect(result.target).toMatchObject({ kind: 'url', baseUrl: base, apis: ['webcheckin'] });
  expect(verdicts.get('WCI-STS-005')?.verdict).toBe('pass');
  expect(verdicts.get('WCI-RDY-018')).toMatchObject({
    verdict: 'skipped',
    reason: 'a recording cannot show it: its check sends its own requests',
  });
  expect(verdicts.has('FLA-GET-002')).toBe(false);
});

test('a single answer is judged: the finding names the entry and says how to judge again', async () => {
  const { result, exitCode, bad } = await judge([status({ booking_id: 'seven' })]);
  expect([exitCode, bad]).toEqual([1, ['WCI-STS-017']]);
  expect(result.findings[0]).toMatchObject({
    exchanges: ['x1'],
    reproduce: { command: 'gatecheck judge traffic.har' },
  });
});

test('a sequence is judged: last_updated goes back', async () => {
  const first = status({ last_updated: time(500) });
  // A copy may be some seconds late.
  second += 20;
  const { bad } = await judge([first, status({ last_updated: time(100) })]);
  expect(bad).toEqual(['WCI-DT-029']);
});

test('answers that overlapped prove no order', async () => {
  const [late, early] = [status({ last_updated: time(500) }), status({ last_updated: time(100) })];
  expect((await judge([{ ...late, time: 5000 }, early])).bad).toEqual([]);
});

test('a record of another enterprise is seen where it is known whose keys they are', async () => {
  const entries = [
    subscribe('key-one-of-the-partner'),
    subscribe('key-two', 'ALREADY_SUBSCRIBED'),
    status({}, 'key-two'),
  ];
  const told = await judge(entries, { other: 'key-two' });
  expect(told.bad).toContain('WCI-SCP-001');
  const untold = await judge(entries);
  expect([untold.bad, untold.verdicts.get('WCI-SCP-001')?.verdict]).toEqual([[], 'skipped']);
  expect(untold.notices.join()).toMatch(/several API keys.*GATECHECK_KEYS_OTHER/);
  expect((await judge(entries, { isOneEnterprise: true })).notices).toEqual([]);
});

test('callbacks are judged against the subscribe of the recording', async () => {
  const right = await judge([subscribe(), callback('chk_0000000001', { 'X-API-Key': 'callback-secret-1' })]);
  expect(right.notices.join()).not.toContain('several API keys');
  expect([right.bad, right.verdicts.get('WCI-CB-006')?.verdict, right.result.summary.callbacks]).toEqual([
    [],
    'pass',
    1,
  ]);
  const wrong = await judge([subscribe(), callback('chk_0000000001', { 'X-API-Key': 'callback-secret-2' })]);
  expect(wrong.bad).toEqual(['WCI-CB-006']);
});

test('a callback of an earlier subscribe is judged by its form alone', async () => {
  const { bad, verdicts } = await judge([
    subscribe(),
    callback('chk_of_last_week', { 'X-API-Key': 'another-secret' }),
  ]);
  expect(bad).toEqual([]);
  expect(verdicts.get('WCI-CB-009')?.verdict).toBe('pass');
  expect(verdicts.get('WCI-CB-004')).toMatchObject({
    verdict: 'skipped',
    reason: 'the recording does not hold the subscribe that the callback belongs to',
  });
});

test('a recorder that takes credentials out breaks no rule about them', async () => {
  const { bad, verdicts } = await judge([
    subscribe(),
    callback('chk_0000000001', { 'X-API-Key': 'REDACTED' }),
  ]);
  expect(bad).toEqual([]);
  expect(verdicts.get('WCI-CB-005')?.reason).toBe('the recording does not show the credentials');
});

test('no secret of the recording stands in any report', async () => {
  await judge([
    subscribe(),
    status({ booking_id: 'key-one-of-the-partner' }),
    callback('chk_0000000001', { 'X-API-Key': 'callback-secret-2' }),
  ]);
  const texts = writtenTexts();
  for (const secret of ['key-one-of-the-partner', 'callback-secret-1', 'callback-secret-2', 'cookie-value-1'])
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  expect(texts.join()).toContain('‹key recorded#1›');
});

test('nor one that people keep in addresses and in headers of their own', async () => {
  const registered = 'https://me:address-password@hooks.partner.example/checkin?token=query%2Ftoken-1';
  const headers = { 'X-API-Key': 'key-one-of-the-partner', 'X-Gateway-Token': 'gateway-secret-1' };
  const query = 'checkin_id=chk_0000000001&api_key=another-key-2#access_token=in-a-fragment';
  await judge([
    entry({
      ...{ method: 'POST', url: `${base}/extPartner/api/webcheckin/subscribe`, headers },
      sent: { callbackData: { ...callbackData, callbackUrl: registered } },
      body: { ...record(), message: 'query/token-1, address-password' },
    }),
    entry({
      url: `${base}/extPartner/api/webcheckin/status?${query}`,
      body: record({ booking_id: 'seven' }),
    }),
    callback('chk_0000000001', { 'X-Hook-Signature': 'sha256=0123456789' }),
  ]);
  const text = writtenTexts().join();
  for (const secret of ['address-password', 'query/token-1', 'query%2Ftoken-1', 'another-key-2'])
    expect(text).not.toContain(secret);
  for (const secret of ['gateway-secret-1', 'sha256=0123456789', 'in-a-fragment'])
    expect(text).not.toContain(secret);
});

test('what a run has recorded itself comes to the same again', async () => {
  const first = await judge([subscribe(), status({ booking_id: 'seven' })]);
  for (const name of ['evidence.ndjson', 'evidence.har']) {
    const copy = join(folder, name);
    writeFileSync(copy, readFileSync(join(folder, 'report', name)));
    const again = await judge([], { files: [copy, copy] });
    expect([again.bad, again.result.summary.requests]).toEqual([first.bad, 2]);
  }
});

test('an exchange with a label in its address is the same in the journal and the HAR of a run', async () => {
  const url = `${base}/extPartner/api/webcheckin/status?checkin_id=chk_0000000001&apiKey=key-one-of-the-partner`;
  await judge([entry({ url, headers: { 'X-API-Key': 'key-one-of-the-partner' }, body: record() })]);
  const files = ['evidence.ndjson', 'evidence.har'].map((name) => {
    writeFileSync(join(folder, name), readFileSync(join(folder, 'report', name)));
    return join(folder, name);
  });
  expect((await judge([], { files })).result.summary.requests).toBe(1);
  expect(readFileSync(join(folder, 'report', 'evidence.ndjson'), 'utf8')).toContain(
    'apiKey=‹key recorded#1›',
  );
});

test('traffic of several deployments has to be told apart', async () => {
  const elsewhere = { ...status({ booking_id: 'seven' }) };
  const other = {
    ...elsewhere,
    request: { ...elsewhere.request, url: elsewhere.request.url.replace(base, 'https://qa.example') },
  };
  await expect(judge([status(), other])).rejects.toMatchObject({ code: 'SEVERAL_TARGETS', exitCode: 2 });
  expect((await judge([status(), other], { targets: [base] })).bad).toEqual([]);
  expect((await judge([status(), other], { targets: ['https://qa.example'] })).bad).toEqual(['WCI-STS-017']);
});

test('a recording of something else is an error, and not a verdict', async () => {
  const page = entry({ url: 'https://www.example/', body: {} });
  await expect(judge([page])).rejects.toMatchObject({
    code: 'NOTHING_RECORDED',
    exitCode: 2,
    message: 'Expected recorded requests to /extPartner/api/…; got 1 entries, none of which is one.',
  });
});
