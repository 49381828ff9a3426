import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleResult } from '../../test/support/sampleResult.ts';
import { readResult, resultFile } from './readResult.ts';

const dir = mkdtempSync(join(tmpdir(), 'gatecheck-results-'));

function file(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

const result = file('result.json', JSON.stringify(sampleResult({})));

test('a report directory means the result in it', async () => {
  expect(await resultFile(dir)).toBe(result);
  expect((await readResult(result)).run.id).toBe(sampleResult({}).run.id);
});

test.each([
  ['summary.md', '# Gatecheck\n', 'text that is not JSON'],
  ['empty.json', '', 'an empty file'],
  ['cut.json', '{"tool":', 'text that is not JSON'],
  ['other.json', '{"tool":3}', 'JSON of another form (schemaVersion: '],
  [
    'newer.json',
    '{"schemaVersion":2}',
    'one of another version of Gatecheck (schemaVersion 2 in place of 1)',
  ],
  ['list.json', '[]', 'JSON of another form (Invalid input: expected object, received array)'],
])('%s is refused with its name, what it is and what to name', async (name, text, fault) => {
  const path = file(name, text);
  const refusal = await readResult(path).catch((error: unknown) => error as Error);
  expect(refusal).toMatchObject({ code: 'BAD_RESULT', exitCode: 2 });
  expect((refusal as Error).message).toContain(
    `Expected the result.json of an earlier run at ${path}; got ${fault}`,
  );
  expect((refusal as Error & { hint: string }).hint).toContain(dir);
});

test('a byte order mark before the text is no matter', async () => {
  const path = file('marked.json', `\uFEFF${JSON.stringify(sampleResult({}))}`);
  expect((await readResult(path)).schemaVersion).toBe(1);
});

test('what is no file is not read', async () => {
  mkdirSync(join(dir, 'run', 'result.json'), { recursive: true });
  const refusal = readResult(join(dir, 'run', 'result.json'));
  await expect(refusal).rejects.toMatchObject({ code: 'NO_PLAIN_FILE', exitCode: 2 });
});

test('beside a damaged result the journal is named, from which another can be made', async () => {
  mkdirSync(join(dir, 'killed'));
  file('killed/evidence.ndjson', '');
  const refusal = readResult(file('killed/result.json', '{'));
  await expect(refusal).rejects.toMatchObject({
    hint: expect.stringContaining('from the journal') as string,
  });
});

test('a file that is not there, or in what is no folder, is named', async () => {
  await expect(readResult(join(dir, 'none.json'))).rejects.toThrow(/none\.json; got no such file/);
  await expect(readResult(join(result, 'result.json'))).rejects.toThrow(/got no such file/);
});
