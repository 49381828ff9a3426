import { expect, test } from 'vitest';
import { plainPalette } from '../core/palette.ts';
import { Redactor } from '../core/redact.ts';
import { resolveSettings } from '../settings/settings.ts';
import type { Io } from '../core/io.ts';
import { budgetsOf } from '../plan/budgets.ts';
import type { Plan } from '../plan/plan.ts';
import { agree, mayTryStates, runForecast } from './agreement.ts';

const env = { QA: 'k1' };
const foreign = resolveSettings({ target: 'https://qa.example.com', keys: { primary: 'env:QA' } }, { env });
const local = resolveSettings({ target: 'http://127.0.0.1:1', keys: { primary: 'env:QA' } }, { env });

async function ask(settings: typeof foreign, answer: string | null, yes = false) {
  const said: string[] = [];
  const output = {
    write: (text: string) => void said.push(text),
    palette: plainPalette,
    interactive: false,
    columns: 80,
  };
  const io = {
    ...{ args: [], env: {}, folder: '/', stdout: output, stderr: output, redactor: new Redactor() },
    ask: answer === null ? null : () => Promise.resolve(answer),
    onInterrupt: () => () => undefined,
    exit: () => undefined,
  };
  const forecast = () => Promise.resolve(['about 60 requests', '2 quota units']);
  const outcome = await agree(settings, { yes, forecast }, io).then(
    () => 'agreed',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
  return { outcome, said: said.join('') };
}

test('a person at the terminal sees what goes where, and agrees by y', async () => {
  expect(await ask(foreign, 'y')).toEqual({
    outcome: 'agreed',
    said: 'This run sends to https://qa.example.com, which is not local:\n  about 60 requests\n  2 quota units\n',
  });
});

test.each(['', 'n', 'no', 'yep', 'nay y'])('%j is a no', async (answer) => {
  expect((await ask(foreign, answer)).outcome).toMatch(/expected y or yes; got (another|no) answer/);
});

test('without a terminal the agreement has to be given before', async () => {
  expect((await ask(foreign, null)).outcome).toMatch(
    /^expected --yes, since https:\/\/qa\.example\.com is not local/,
  );
  expect(await ask(foreign, null, true)).toEqual({ outcome: 'agreed', said: '' });
});

test('nobody is asked about what is local', async () => {
  expect(await ask(local, null)).toEqual({ outcome: 'agreed', said: '' });
});

test.each([
  [{ stateHandler: null }, null, false, true],
  [{ stateHandler: { url: 'https://qa.example.com/_s', auth: null } }, null, false, false],
  [{ stateHandler: { url: 'https://qa.example.com/_s', auth: null } }, null, true, true],
  [{ stateHandler: { url: 'https://qa.example.com/_s', auth: null } }, 'y', false, true],
  [{ stateHandler: { url: 'https://qa.example.com/_s', auth: null } }, 'n', false, false],
])('a state handler is tried where that is agreed to: %j, %j, %j', async (part, answer, yes, may) => {
  const asked: string[] = [];
  const io = {
    stderr: { write: (text: string) => void asked.push(text) },
    ask: answer === null ? null : () => Promise.resolve(answer),
  } as unknown as Io;
  expect(await mayTryStates({ ...foreign, ...part }, yes, io)).toBe(may);
  expect(asked.join('').includes('its clock moves forward')).toBe(answer !== null);
});

const plan: Plan = {
  ...{
    checks: [],
    carriers: [],
    skipped: [],
    further: [],
    fixtures: [],
    usesBook: false,
    expectedMs: 0,
    keys: 1,
  },
  total: { requests: 33, quota: 2, subscriptions: 1 },
  budgets: budgetsOf(foreign),
};

test('the flights that are booked and looked up are named, and those of the config come in their place', async () => {
  const said = (await runForecast(plan, foreign)).join('\n');
  expect(said).toMatch(
    /^bookings on [A-Z0-9]{2}\d+, .*, others if these are refused\nflight alerts of .*EK3/m,
  );
  const named = resolveSettings(
    {
      target: 'https://qa.example.com',
      keys: { primary: 'env:QA' },
      apis: ['flight-alerts'],
      flights: [{ flightNumber: 'ZZ77', departureDate: '2030-01-05' }],
    },
    { env },
  );
  const lines = await runForecast(plan, named);
  expect(lines.filter((line) => /^bookings|^flight alerts/.test(line))).toEqual(['flight alerts of ZZ77']);
});
