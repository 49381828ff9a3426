import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { besideSandbox } from './support/besideSandbox.ts';
import { gatecheck, type Ended } from './support/gatecheck.ts';
import { commandsIn } from './support/printedCommands.ts';

// Whatever Gatecheck prints as a command is pasted here, in the folder where it was printed and with its environment, and must not be refused.

const few = ['--only', 'SHR-AUT-00*', '--max-requests', '200'];
const defective = ['--defect', 'key-list-open', '--state-handler', '--limits', '6000/60000'];
const isText = /\.(?:md|xml|json|html)$/;

/** A folder in which commands are typed, without the address of the target in the environment. */
function openShell({ GATECHECK_TARGET: url = '', ...env }: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-pasted-'));
  mkdirSync(join(folder, 'parts'));
  const type = (args: readonly string[], meanwhile?: Parameters<typeof gatecheck>[1]) =>
    gatecheck(args, { ...meanwhile, env: { ...env, ...meanwhile?.env }, folder });
  return { folder, url, type, pasted: new Map<string, number | null>() };
}

type Shell = ReturnType<typeof openShell>;

/** What a command printed, and what it wrote for people and programs. */
function printedBy(
  { stdout, stderr, folder }: Pick<Ended, 'stdout' | 'stderr' | 'folder'>,
  dir: string,
): string {
  const files = readdirSync(join(folder, dir)).filter((name) => isText.test(name));
  const texts = files.map((name) => readFileSync(join(folder, dir, name), 'utf8'));
  return [stdout, stderr, ...texts.map(unescaped)].join('\n');
}

/** Text of XML, HTML and JSON as a reader sees it. */
function unescaped(text: string): string {
  return text
    .replaceAll(/<\/?[a-z][^>]*>|\\n/g, '\n')
    .replaceAll(/\\u([\da-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/"|&quot;/g, '\n')
    .replaceAll('&amp;', '&');
}

/** Pastes each command of a text, once; those that were printed are returned. */
async function paste(text: string, { type, pasted }: Shell): Promise<readonly string[]> {
  const lines = commandsIn(text).filter((args) => runs.has(args[0] ?? '') && args.length > 1);
  for (const args of lines) {
    const line = args.join(' ');
    if (pasted.has(line)) continue;
    const { code, stderr } = await type(args);
    pasted.set(line, code);
    expect([0, 1, 3], `gatecheck ${line}\n${stderr}`).toContain(code);
  }
  return lines.map((args) => args.join(' '));
}

/** Commands that end by themselves, and soon. */
const runs = new Set(['run', 'replay', 'judge', 'report', 'load', 'plan', 'diff']);

describe('what is printed works where it is pasted', () => {
  test('by a run, its reports, and a merge of shards', async () => {
    await besideSandbox(defective, async ({ env }) => {
      const shell = openShell(env);
      const { type, url } = shell;
      const first = await type(['run', '--target', url, ...few, '--report-dir', 'a run']);
      const lines = await paste(printedBy(first, 'a run'), shell);
      expect(lines).toContainEqual(expect.stringMatching(/^replay SHR-AUT-\d+\.\w+ --from a run /));
      expect(lines).toContainEqual(`run --only-failed a run --target ${url} --max-requests 200`);
      for (const part of ['1', '2'])
        await type(['run', '--target', url, ...few, '--shard', `${part}/2`, '--report-dir', `parts/${part}`]);
      const merged = await type(['report', '--merge', 'parts/1', 'parts/2', '--report-dir', 'merged.1']);
      expect(merged.code).toBe(1);
      const ofMerged = await paste(printedBy(merged, 'merged.1'), shell);
      expect(ofMerged.filter((line) => line.includes('parts/'))).toEqual([]);
      expect(ofMerged).toContainEqual(expect.stringMatching(/^run --only-failed merged\.1 /));
    });
  });

  test('by a stale baseline: the option that it names needs nothing else', async () => {
    await besideSandbox(['--limits', '6000/60000'], async ({ env }) => {
      const { type, url, folder } = openShell(env);
      const file = join(folder, 'known.yaml');
      const args = ['run', '--target', url, ...few, '--baseline', file];
      appendFileSync(file, '- fingerprint: SHR-AUT-001.1a2b3c4d\n  reason: old\n  date: 2026-01-31\n');
      const stale = await type(args);
      expect(stale).toMatchObject({ code: 1 });
      expect(stale.stdout).toMatch(
        /^. [A-Z]+ \(\d+ of \d+ requirements selected\), gate not met: a baseline entry is stale/,
      );
      const option = /run again with (--[\w-]+)/.exec(stale.stdout)?.[1] ?? '';
      expect(await type([...args, option])).toMatchObject({ code: 0 });
      expect(readFileSync(file, 'utf8').trim()).toBe('[]');
    });
  });

  test('by judge, load and dev', async () => {
    await besideSandbox([...defective, '--defect', 'status-with-mark'], async ({ env }) => {
      const shell = openShell(env);
      const { type, url } = shell;
      await type(['run', '--target', url, '--only', 'SHR-ERR-038', '--quiet', '--report-dir', 'run']);
      const judged = await type(['judge', 'run/evidence.ndjson', '--report-dir', 'judged']);
      expect(judged.stdout).toContain('Once it is fixed: record the traffic again');
      await paste(printedBy(judged, 'judged'), shell);
      const load = ['load', '--target', url, '--duration', '2s', '--rate', '5/s', '--threshold', 'p99<1ms'];
      const loaded = await type([...load, '--report-dir', 'loaded']);
      expect(loaded.stdout).toMatch(/^✗ LOAD.*, gate not met: /m);
      await paste(printedBy(loaded, 'loaded'), shell);
      const dev = await type(['dev', '--target', url, ...few], {
        meanwhile: (child) => endWhenWaiting(child),
      });
      const lines = await paste(printedBy(dev, 'reports/dev'), shell);
      expect(lines).toContainEqual(expect.stringMatching(/^replay \S+ --from reports\/dev /));
      expect(lines).toContainEqual(expect.stringMatching(/^run --only-failed reports\/dev /));
    });
  });
});

/** Ctrl-C once it waits for the next restart. */
function endWhenWaiting(
  child: Parameters<NonNullable<Parameters<typeof gatecheck>[1]>['meanwhile'] & object>[0],
): void {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes('waiting for the server')) child.kill('SIGINT');
  });
}
