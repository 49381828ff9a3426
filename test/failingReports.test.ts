import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveSettings, type Config } from '../src/index.ts';
import { defects } from '../src/reference/defects.ts';
import { startReference } from '../src/reference/startReference.ts';
import { policyOfJob } from '../src/run/prove/job.ts';
import { run } from '../src/run/run.ts';
import { harFaults } from './support/harFaults.ts';
import { schemaFaults } from './support/schemaFaults.ts';
import { jenkinsFaults } from './support/xmlSchema.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatecheck-failing-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs some checks, and holds each report for machines against its schema. */
async function faultsOf(name: string, config: Config, key = 'some-key-of-the-test') {
  const settings = resolveSettings(
    { seed: 5, reportDir: join(folder, name), keys: { primary: 'env:KEY' }, ...config },
    { env: { KEY: key } },
  );
  const { result, reportDir } = await run(settings, { root: folder });
  const text = (file: string) => readFile(join(reportDir, file), 'utf8');
  const json = async (file: string): Promise<unknown> => JSON.parse(await text(file));
  const faults = [
    ...harFaults(await json('evidence.har')),
    ...(await jenkinsFaults(await text('junit.xml'))),
    ...schemaFaults('ctrf', await json('ctrf.json')),
  ];
  return { result, faults };
}

test('the reports of a failing run with states and callbacks are valid by their schemas', async () => {
  const defect = 'webhook-without-passes';
  const policy = policyOfJob({ dialect: {}, defect });
  const rows = defects.find(({ id }) => id === defect)?.kills ?? [];
  await using reference = await startReference({ policy });
  const { result, faults } = await faultsOf(
    'failing',
    {
      target: reference.url,
      stateHandler: { url: reference.stateHandlerUrl ?? '' },
      only: [...rows, 'FLA-CB-001', 'WCI-STS-004'],
    },
    reference.keys.primary.join(','),
  );
  expect(result.findings).not.toEqual([]);
  expect(result.summary.callbacks).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});

test('so are those of a run whose target is lost, and of one whose target is hostile', async () => {
  const nasty = '"><script>alert(1)</script>\u0000\u001b[31m]]>&#x0;\ud800';
  const answers = { lost: null, hostile: JSON.stringify({ success: false, error: nasty, message: nasty }) };
  for (const [name, answer] of Object.entries(answers)) {
    const server = createServer((request, response) => {
      if (answer === null) request.socket.destroy();
      else response.writeHead(400, { 'content-type': 'application/json', 'x-odd': '<&">' }).end(answer);
    });
    const url = await listening(server);
    const { result, faults } = await faultsOf(name, { target: url, only: ['WCI-STS-*'] });
    server.close();
    expect(result.summary.verdict, name).not.toBe('conformant');
    expect(faults, name).toEqual([]);
  }
});

function listening(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}
