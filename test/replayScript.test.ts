import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveSettings } from '../src/index.ts';
import { policyOfJob } from '../src/run/prove/job.ts';
import { run } from '../src/run/run.ts';
import { renderHttpFile, renderShellScript } from '../src/report/script/renderScript.ts';
import { collectCase } from '../src/report/script/scriptCase.ts';
import { scriptInput, type ScriptInput } from '../src/report/script/scriptInput.ts';
import { defects } from '../src/reference/defects.ts';
import { startReference, type StartedReference } from '../src/reference/startReference.ts';
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
  return inputOf(lines, 'HTTP 200\n$(touch hacked) `id`');
}

function inputOf(lines: readonly ExchangeLine[], actual: string): ScriptInput {
  const exchanges = lines.map(({ id }) => id);
  const finding = sampleFinding({ exchanges, decisive: exchanges.at(-1), expected: 'HTTP 404', actual });
  const events = lines.map((line) => ({ kind: 'exchange' as const, line }));
  const made = scriptInput(finding, 'Status of an own record.', { events, makesEnterprises: false });
  if ('reason' in made) throw new Error(made.reason);
  return { ...made, baseUrl: sandbox.url };
}

/** What a script wrote, and the code that it ended with. */
async function runScript(path: string, env: Record<string, string | undefined>) {
  const ended = await promisify(execFile)('sh', [path], { env: { PATH: process.env.PATH, ...env } }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
  return ended;
}

test('the shell script sends the sequence again, with a fresh locator and the ids that the answers give', async () => {
  const path = join(folder, 'again.sh');
  await writeFile(path, renderShellScript(input()));
  const env = { HOME: folder, GATECHECK_KEYS_PRIMARY: sandbox.keys.join(',') };
  const [first, second] = [await runScript(path, env), await runScript(path, env)];
  expect(first.stdout.match(/^ {3}HTTP \d+$/gm)).toEqual(['   HTTP 200', '   HTTP 200', '   HTTP 200']);
  expect(first.code).toBe(1);
  expect(first.stdout).toContain('It shows again: HTTP 200.');
  expect(first.stdout).toContain('"message":"SCHEDULED"');
  // The locator is another one each time, so that the booking is none that is there already.
  expect(second.stdout).toContain('"message":"SCHEDULED"');
  expect(first.stdout).not.toContain('wci_oldOldOldOld');
});

test('the script says which variable it needs, and holds no key', async () => {
  const text = renderShellScript(input());
  const path = join(folder, 'bare.sh');
  await writeFile(path, text);
  const ended = await runScript(path, {});
  expect(ended.stderr).toContain('GATECHECK_KEYS_PRIMARY: set it to a key of that enterprise');
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
  const lines = own.steps.flatMap((step) => (step.kind === 'request' ? [step.line] : []));
  const alone = renderShellScript(inputOf(lines.slice(1, 2), 'HTTP 200'));
  expect(alone).toContain("RECORD=${RECORD:-'wci_oldOldOldOld'}");
  expect(alone).toContain(`'/extPartner/api/webcheckin/status?checkin_id='"$RECORD"`);
  expect(renderShellScript(own)).not.toContain('RECORD');
});

/** Mistakes of different kinds: keys, statuses, codes, members, lists, updates, states of the upstream. */
const broken = [
  ...['key-lookup-open', 'key-empty-accepted', 'webhook-url-any', 'incomplete-failed'],
  ...['journey-route-first', 'limit-negative-500', 'airlines-of-many-legs', 'flight-not-found-unknown-code'],
  ...['default-limit-twenty', 'resume-conflict', 'repeat-creates', 'error-null-body-500'],
  // What earlier requests of the case made known is broken.
  ...['pnrless-all-one', 'conflict-as-400', 'quota-two-units'],
];

describe('a script of a finding reproduces it on the broken server, and not on one that conforms', () => {
  let good: StartedReference;
  beforeAll(async () => {
    good = await startReference();
  });
  afterAll(() => good.close());

  test.each(broken)('%s', async (defect) => {
    await using bad = await startReference({ policy: policyOfJob({ dialect: {}, defect }) });
    const { findings, reportDir, titles } = await findingsOf(bad, defect);
    const made = await Promise.all(
      findings.map(async (finding) => {
        const found = await collectCase(join(reportDir, 'evidence.ndjson'), finding);
        return scriptInput(finding, titles.get(finding.requirement) ?? '', found);
      }),
    );
    const offered = made.filter((one): one is ScriptInput => !('reason' in one));
    expect(offered).not.toEqual([]);
    for (const one of offered) {
      const path = join(folder, `${one.finding.fingerprint}.sh`);
      await writeFile(path, renderShellScript(one));
      const again = await runScript(path, envOf(bad));
      expect(again.code, `${one.finding.fingerprint}\n${again.stdout}`).toBe(1);
      const elsewhere = await runScript(path, envOf(good));
      expect(elsewhere.code, `${one.finding.fingerprint}\n${elsewhere.stdout}`).toBe(0);
      const sent = await sendHttpFile(renderHttpFile(one), envOf(bad));
      expect(sent.status, one.finding.fingerprint).toBe(one.sign.status ?? sent.status);
    }
  });
});

function envOf({ url, stateHandlerUrl, keys }: StartedReference): Record<string, string> {
  return {
    BASE: url,
    GATECHECK_STATE_HANDLER: stateHandlerUrl ?? '',
    GATECHECK_KEYS_PRIMARY: keys.primary.join(','),
    GATECHECK_KEYS_OTHER: keys.other.join(','),
    GATECHECK_KEY_REVOKED: keys.revoked,
    GATECHECK_KEY_DISABLED: keys.disabled,
  };
}

/** What the checks of the rows that a defect breaks find of it. */
async function findingsOf({ url, stateHandlerUrl, keys }: StartedReference, defect: string) {
  const only = defects.find(({ id }) => id === defect)?.kills;
  const settings = resolveSettings(
    {
      ...{ target: url, stateHandler: { url: stateHandlerUrl ?? '' }, seed: 7, only: [...(only ?? [])] },
      reportDir: join(folder, defect),
      keys: { primary: 'env:P', other: 'env:O', revoked: 'env:R', disabled: 'env:D' },
    },
    {
      env: {
        ...{ P: keys.primary.join(','), O: keys.other.join(',') },
        ...{ R: keys.revoked, D: keys.disabled },
      },
    },
  );
  const { result, reportDir } = await run(settings, { root: folder });
  const titles = new Map(result.requirements.map(({ id, title }) => [id, title]));
  expect(result.findings).not.toEqual([]);
  return { findings: result.findings, reportDir, titles };
}

/** Sends a `.http` file as an editor would, as far as Gatecheck writes such; the last answer. */
async function sendHttpFile(text: string, env: Record<string, string>): Promise<Response> {
  const values = new Map(
    [...text.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const),
  );
  values.set('base', env.BASE ?? '');
  const answers = new Map<string, string>();
  const filled = (part: string): string =>
    part.replace(/\{\{([^}]+)\}\}/g, (_, name: string) => {
      const [, step = '', member = ''] = /^(step\d+)\.response\.body\.\$\.\.(\w+)$/.exec(name) ?? [];
      if (step !== '') return new RegExp(`"${member}":"?([^",}]+)`).exec(answers.get(step) ?? '')?.[1] ?? '';
      const variable = /^\$processEnv (\w+)$/.exec(name)?.[1];
      if (variable !== undefined) return (env[variable] ?? '').split(',')[0] ?? '';
      return filled(values.get(name) ?? '');
    });
  let last: Response | null = null;
  for (const part of text.split(/^### .*$/m).slice(1)) {
    const name = /^# @name (\w+)$/m.exec(part)?.[1] ?? '';
    const request = part.replace(/^\s*(?:# @name .*\n)?/, '');
    const [head = '', ...body] = request.split('\n\n');
    const [line = '', ...headers] = filled(head).trim().split('\n');
    const [method = '', url = ''] = line.split(' ');
    last = await fetch(url, {
      method,
      headers: headers.map((field): [string, string] => [
        field.slice(0, field.indexOf(':')),
        field.slice(field.indexOf(':') + 1).trim(),
      ]),
      body: body.join('').trim() === '' ? null : filled(body.join('\n\n')).trimEnd(),
    });
    answers.set(name, await last.text());
  }
  if (last === null) throw new Error('the file has no request');
  return last;
}
