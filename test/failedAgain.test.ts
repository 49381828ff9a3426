import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { besideSandbox } from './support/besideSandbox.ts';
import { commandLine } from './support/commandLine.ts';

const few = ['--only', 'SHR-AUT-001', '--max-requests', '60'];
const scratch = () => mkdtempSync(join(tmpdir(), 'gatecheck-again-'));

const defective = ['--defect', 'key-list-open', '--limits', '6000/60000'];
const selection = ['--only', 'SHR-AUT-00*', '--max-requests', '200'];

test('a run of what failed runs that alone', async () => {
  const again = await besideSandbox(defective, async ({ env }) => {
    const first = await commandLine(['run', '--quiet', ...selection], { env });
    expect(first.code).toBe(1);
    return commandLine(['run', '--only-failed', join(first.folder, 'reports/latest')], { env });
  });
  expect(again.code).toBe(1);
  expect(again.stdout).toMatch(/NONCONFORMANT \(\d+ of \d+ requirements selected\)/);
});

test('a baseline of what failed needs a reason, and then lets it pass', async () => {
  const known = join(scratch(), 'known.yaml');
  const updating = ['--baseline', known, '--update-baseline'];
  const told = await besideSandbox(defective, async ({ env }) => ({
    unsaid: await commandLine(['run', ...selection, ...updating], { env }),
    written: await commandLine(['run', ...selection, ...updating, '--reason', 'GATE-7'], { env }),
    after: await commandLine(['run', ...selection, '--baseline', known], { env }),
  }));
  expect(told).toMatchObject({
    unsaid: { code: 2, stderr: expect.stringMatching(/^error: --reason: expected why/) as string },
    written: { code: 0, stdout: expect.stringMatching(/listed in the baseline/) as string },
    after: { code: 0 },
  });
  expect(readFileSync(known, 'utf8')).toMatch(
    /^- fingerprint: SHR-AUT-\d{3}\.[\da-f]{8}\n(?: {2}also:\n(?: {4}- .*\n)+)? {2}reason: GATE-7\n {2}date: .*\n/,
  );
});

test('where nothing failed, the same targets are refused as where something did', async () => {
  const { folder } = await commandLine(['run', '--quiet', ...few]);
  const again = ['run', '--only-failed', join(folder, 'reports/latest')];
  const codes = [{ GATECHECK_TARGET: '' }, { GATECHECK_TARGET: 'http://127.0.0.1:9' }].map((env) =>
    commandLine(again, { env }),
  );
  expect((await Promise.all(codes)).map(({ code }) => code)).toEqual([2, 2]);
});

test('where nothing failed, a run of what failed ends at once and well', async () => {
  const { folder } = await commandLine(['run', '--quiet', ...few]);
  const { code, stdout } = await commandLine(['run', '--only-failed', join(folder, 'reports/latest')]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'Nothing failed or stayed undecided in that result: there is nothing to run.\n',
  });
});
