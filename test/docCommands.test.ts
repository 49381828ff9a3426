import { expect, beforeAll, afterAll, describe, test } from 'vitest';
import { commandSpans, docPages, fencedBlocks } from './support/docPages.ts';
import { openDocStage, type DocStage } from './support/docStage.ts';

// Every command line of the docs but those named in `elsewhere` is executed, with a reference in the place of the deployments that they speak of and seconds in the place of minutes.

/** What runs elsewhere, and where. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/containers.md': 'needs images of its own: test/containers.test.ts',
  'docs/mutation.md': 'takes an hour of two cores',
  'docs/proof.md': 'takes minutes of two cores: .ci/run runs the proof, and that of the wire',
  'docs/workers.md': 'needs Redis: test/workers.test.ts, test/kubernetes.test.ts',
  'docs/start/ci.md': 'test/docs.test.ts',
  'docs/start/client.md': 'test/docs.test.ts',
  'docs/start/implementer.md': 'test/docs.test.ts',
  'docs/start/qa.md': 'test/docs.test.ts',
};
/** How a command may end beside 0: with nothing to judge, or where a busy machine misses a threshold. */
const mayEnd: Readonly<Record<string, readonly string[]>> = {
  load: ['0', '1'],
  serve: ['stands', '0'],
  sink: ['0 after Ctrl-C'],
  proxy: ['3 after Ctrl-C'],
  monitor: ['0 after Ctrl-C'],
  dev: ['130 after Ctrl-C'],
  // The mistake is still there.
  replay: ['1', '0'],
};

let stage: DocStage;
beforeAll(async () => {
  stage = await openDocStage();
}, 300_000);
afterAll(() => stage.close());

const pages = docPages().filter((page) => fencedBlocks(page, 'sh').length > 0 && !(page in elsewhere));

describe.each(pages)('%s', (page) => {
  test('every block of commands runs as it stands', async () => {
    // Each in a shell of its own, as in another terminal.
    await expectToRun(...fencedBlocks(page, 'sh'));
  }, 400_000);
});

/** What waits for a person or a server: such a block is played in a terminal, and ended by Ctrl-C. */
const attended = docPages().flatMap((page) =>
  fencedBlocks(page, 'console')
    .filter((block) => block.split('\n').every((line) => line === '' || line.startsWith('npx gatecheck ')))
    .map((block) => [page, block] as const),
);

test.each(attended)(
  '%s: what waits for somebody stands: %s',
  async (_, block) => {
    // The run before found something.
    await expectToRun(`ln -sfn broken reports/latest\n${block}`);
  },
  400_000,
);

test('the pages to start with have such blocks', () => {
  expect([...new Set(attended.map(([page]) => page))]).toEqual([
    'docs/start/client.md',
    'docs/start/implementer.md',
    'docs/start/qa.md',
  ]);
});

test('every answer to what people ask runs as it stands', async () => {
  const lines = commandSpans('docs/answers.md').filter((line) => !line.includes('--redis'));
  expect(lines.length).toBeGreaterThanOrEqual(15);
  await expectToRun(lines.join('\n'));
}, 400_000);

test('what is not run here exists', () => {
  expect(Object.keys(elsewhere).filter((page) => fencedBlocks(page, 'sh').length === 0)).toEqual([]);
});

async function expectToRun(...scripts: readonly string[]): Promise<void> {
  const { code, output, ended } = await stage.play(...scripts);
  const unexpected = ended.filter(
    ({ how, args }) => !(mayEnd[args.split(' ')[0] ?? ''] ?? ['0']).includes(how),
  );
  expect(unexpected, output.slice(-4_000)).toEqual([]);
  expect(code, output.slice(-4_000)).toBe(0);
  expect(ended.length).toBeGreaterThan(0);
}
