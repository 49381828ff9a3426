import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sampleFinding, sampleResult } from '../../test/support/sampleResult.ts';
import { plainPalette } from '../core/palette.ts';
import { tellGithub } from './github.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'gatecheck-'));
  await writeFile(join(dir, 'summary.md'), '## summary\n');
});
afterEach(() => rm(dir, { recursive: true }));

async function told(env: Record<string, string>, result = sampleResult(), json = false) {
  let [stdout, stderr] = ['', ''];
  const output = { palette: plainPalette, interactive: false, columns: 80 };
  const io = {
    env,
    folder: join(dir, '..'),
    stdout: { ...output, write: (text: string) => void (stdout += text) },
    stderr: { ...output, write: (text: string) => void (stderr += text) },
  };
  await tellGithub({ result, reportDir: dir }, io, json);
  return { stdout, stderr };
}

it('is silent elsewhere', async () => {
  const env = { CI: 'true', GITHUB_STEP_SUMMARY: join(dir, 'step.md') };
  expect(await told(env)).toEqual({ stdout: '', stderr: '' });
  await expect(readFile(env.GITHUB_STEP_SUMMARY)).rejects.toThrow('ENOENT');
});

it('annotates each cause, and appends the summary of the job and the outputs of the step', async () => {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(dir, 'step.md'),
    GITHUB_OUTPUT: join(dir, 'output'),
  };
  await writeFile(env.GITHUB_STEP_SUMMARY, '# before\n');
  const { stdout } = await told(env);
  expect(stdout).toBe(
    '::error title=fail WCI-STS-004 (wci.status.unknown)::Status of an unknown checkin_id is 404 NOT_FOUND.%0A' +
      'Expected 404 with error NOT_FOUND.%0AGot 400 with error VALIDATION_ERROR.%0A' +
      'Reproduce: gatecheck replay WCI-STS-004.997d5a67\n',
  );
  expect(await readFile(env.GITHUB_STEP_SUMMARY, 'utf8')).toBe('# before\n## summary\n');
  const folder = dir.slice(tmpdir().length + 1);
  expect(await readFile(env.GITHUB_OUTPUT, 'utf8')).toBe(
    `verdict=nonconformant\ngate=not-met\nfailed=1\nreport-dir=${folder}\n`,
  );
});

it('leaves stdout to the events of --json', async () => {
  const { stdout, stderr } = await told({ GITHUB_ACTIONS: 'true' }, sampleResult(), true);
  expect([stdout, stderr.startsWith('::error ')]).toEqual(['', true]);
});

it('shows ten of a kind at most, and nothing that the target says can start a command', async () => {
  const findings = Array.from({ length: 30 }, (_, index) =>
    sampleFinding({
      ...{ requirement: `WCI-STS-${100 + index}`, check: `c,${index}`, exchanges: [`x${index}`] },
      actual: 'evil\n::error::forged\r\n%0A',
    }),
  );
  const { stdout } = await told({ GITHUB_ACTIONS: 'true' }, sampleResult({ findings }));
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(10);
  expect(lines.every((line) => line.startsWith('::error title='))).toBe(true);
  expect(lines[9]).toBe('::error title=Gatecheck::21 more causes: see the summary');
  expect(lines[0]).toContain('evil%0A:\\u003aerror::forged');
});

it('says why the gate is not met where no cause does, and nothing where it is met', async () => {
  const { summary } = sampleResult();
  const because = ['a baseline entry is stale'];
  const ending = (state: 'met' | 'not-met') =>
    sampleResult({
      findings: [],
      summary: { ...summary, gate: { state, because }, reasons: ['Delete it.'] },
    });
  const env = { GITHUB_ACTIONS: 'true' };
  expect(await told(env, ending('not-met'))).toMatchObject({
    stdout: '::error title=Gatecheck%3A gate not met%3A a baseline entry is stale::Delete it.\n',
  });
  expect(await told(env, ending('met'))).toMatchObject({ stdout: '' });
});

it('says what cannot be written, and goes on', async () => {
  const { stderr } = await told({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(dir, 'no/such/file') });
  expect(stderr).toContain('warning: expected GITHUB_STEP_SUMMARY to be a file that can be written');
});
