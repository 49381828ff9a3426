import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderHttpFile, renderShellScript, type ScriptInput } from '../src/report/script/renderScript.ts';
import type { ExchangeLine } from '../src/send/journalLine.ts';
import { openSandbox, type Sandbox } from './support/sandbox.ts';
import { sampleFinding } from './support/sampleResult.ts';

let folder = '';
let sandbox: Sandbox;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatecheck-script-'));
  sandbox = await openSandbox();
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
const booking = {
  pnr: 'OLD123',
  flights: [
    {
      ...{ airline: 'EK', flight_number: '3', origin: 'DXB', destination: 'LHR' },
      departure_datetime: `${date}T10:30:00`,
    },
  ],
  passengers: [{ first_name: "Te'sta $(id) `id`", last_name: 'Gate"check', email: 'a@example.com' }],
  callbackData: { callbackUrl: 'https://example.com/cb', auth_header: 'Authorization: ‹auth_header value›' },
};

function exchange(
  id: string,
  sketch: { readonly target: string; readonly body?: object; readonly answer: object },
): ExchangeLine {
  const { target, body, answer } = sketch;
  return {
    ...{ type: 'exchange', id, check: 'c', operation: null, enterprise: 'primary', key: 'issued#9' },
    ...{ startedAt: '2026-01-31T10:00:00.000Z', durationMs: 1 },
    request: {
      method: body === undefined ? 'GET' : 'POST',
      url: `https://qa.example${target}`,
      headers: [
        ['X-API-Key', '‹key issued#9›'],
        ['Host', 'qa.example'],
        ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
      ],
      body: body === undefined ? null : { text: JSON.stringify(body) },
    },
    response: { status: 200, headers: [], body: { text: JSON.stringify(answer) }, truncated: false },
    failure: null,
  };
}

function input(): ScriptInput {
  const lines = [
    exchange('x1', {
      target: '/extPartner/api/webcheckin/subscribe',
      body: booking,
      answer: { success: true, booking_id: 99_887, checkin_id: 'wci_oldOldOldOld' },
    }),
    exchange('x2', {
      target: '/extPartner/api/webcheckin/status?checkin_id=wci_oldOldOldOld',
      answer: { success: true, checkin_id: 'wci_oldOldOldOld' },
    }),
    exchange('x3', {
      target: '/extPartner/api/webcheckin/update',
      body: { booking_id: 99_887, type: 'pnr', payload: { pnr: 'NEW456' } },
      answer: { success: true },
    }),
  ];
  return {
    finding: sampleFinding({ exchanges: ['x1', 'x2', 'x3', 'c1'], actual: 'a\n$(touch hacked) `id`' }),
    title: 'Status of an own record.',
    evidence: new Map(lines.map((line) => [line.id, line])),
    baseUrl: sandbox.url,
  };
}

test('the shell script sends the sequence again, with a fresh locator and the ids that the answers give', async () => {
  const path = join(folder, 'again.sh');
  await writeFile(path, renderShellScript(input()));
  const env = { PATH: process.env.PATH, HOME: folder, GATECHECK_KEYS_PRIMARY: sandbox.keys.join(',') };
  const run = () => promisify(execFile)('sh', [path], { env, cwd: folder });
  const [first, second] = [await run(), await run()];
  expect(first.stdout.match(/^HTTP \d+$/gm)).toEqual(['HTTP 200', 'HTTP 200', 'HTTP 200']);
  expect(first.stdout).toContain('"message":"SCHEDULED"');
  // The locator is another one each time, so that the booking is none that is there already.
  expect(second.stdout).toContain('"message":"SCHEDULED"');
  expect(first.stdout).not.toContain('wci_oldOldOldOld');
});

test('the script says which variable it needs, and holds no key', async () => {
  const text = renderShellScript(input());
  const path = join(folder, 'bare.sh');
  await writeFile(path, text);
  const env = { PATH: process.env.PATH };
  const ended: unknown = await promisify(execFile)('sh', [path], { env }).catch((error: unknown) => error);
  expect(ended).toMatchObject({
    message: expect.stringContaining('GATECHECK_KEYS_PRIMARY: set it to a key of that enterprise') as string,
  });
  expect(text).not.toContain('issued#9');
});

test('the file for editors names the answers of its steps', () => {
  const text = renderHttpFile(input());
  expect(text.match(/^### \d/gm)).toHaveLength(3);
  expect(text).toContain(
    'GET {{base}}/extPartner/api/webcheckin/status?checkin_id={{step1.response.body.$..checkin_id}}',
  );
  expect(text).toMatch(/^@PNR = [A-Z2-9]{6}$/m);
  expect(text).toContain('"booking_id":{{step1.response.body.$..booking_id}}');
});

test('a record that no step makes can be named by who runs the script', () => {
  const own = input();
  const x2 = { ...own, finding: sampleFinding({ exchanges: ['x2'] }) };
  expect(renderShellScript(x2)).toContain("RECORD=${RECORD:-'wci_oldOldOldOld'}");
  expect(renderShellScript(x2)).toContain(`'/extPartner/api/webcheckin/status?checkin_id='"$RECORD"`);
  expect(renderShellScript(own)).not.toContain('RECORD');
});
