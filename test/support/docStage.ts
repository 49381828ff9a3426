import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { defects } from '../../src/reference/defects.ts';
import { startReference, type StartedReference } from '../../src/reference/startReference.ts';
import { root } from './docPages.ts';
import { freePort } from './freePort.ts';

/** How a page's commands ended. */
interface Played {
  readonly code: number | null;
  readonly output: string;
  readonly ended: readonly { readonly how: string; readonly args: string }[];
}

/** A place where the command lines of the docs can be run as they stand. */
export interface DocStage {
  /**
   * Runs shell scripts one after another in a folder with the files that the docs name. The deployment is restarted before each:
   * what an earlier one used up of a key's minute would make it wait.
   */
  readonly play: (...scripts: readonly string[]) => Promise<Played>;
  readonly close: () => Promise<void>;
}

const program = join(root, 'bin/gatecheck.js');
const shim = join(root, 'test/support/docShim.js');
/** What the docs call runs, and recordings. */
const reports = ['v1', 'v2', 'qa', 'production', 'dev', 'RUN'];
const recordings = ['traffic.har', 'monday.har', 'tuesday.har'];
const killedRun = '2026-11-22-062655-982546';

/** Stands the reference up as the deployment of the docs, beside one with a mistake, and makes the reports that they speak of. */
export async function openDocStage(): Promise<DocStage> {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-doc-stage-'));
  let reference = await startReference();
  const place = { port: Number(new URL(reference.url).port) };
  const policy = defects.find(({ id }) => id === 'status-alias-unknown')?.policy ?? {};
  const broken = await startReference({ policy });
  const env = {
    PATH: [folder, process.env.PATH].join(delimiter),
    HOME: folder,
    // As in a project of a user, no vitest shows the checks.
    VITEST: 'true',
    STAGED_TARGET: reference.url,
    STAGED_HANDLER: reference.stateHandlerUrl ?? '',
    ALERTS: `${reference.url}/alerts`,
    KEYS: reference.keys.primary.join(','),
    GATECHECK_KEYS_PRIMARY: reference.keys.primary.join(','),
    GATECHECK_SERVE_PORT: String(await freePort()),
  };
  writePrograms(folder);
  const made = join(folder, 'made');
  for (const [name, { url }] of [
    ['broken', broken],
    ['latest', reference],
  ] as const) {
    const args = ['run', '--quiet', '--target', url, '--only', 'WCI-STS-*', '--max-quota', '20'];
    const options = [...args, '--report-dir', join(made, name)];
    await promisify(execFile)(process.execPath, [program, ...options], { env, cwd: folder }).catch(
      () => undefined,
    );
  }
  const words = wordsOf(reference, fingerprintIn(join(made, 'broken')), await freePort());
  let pages = 0;
  return {
    play: async (...scripts) => {
      const page = join(folder, `page-${(pages += 1)}`);
      furnish(page, made);
      const played: Played[] = [];
      for (const script of scripts) {
        await reference.close();
        reference = await startReference(place);
        played.push(
          await playIn(page, staged(script, words), {
            ...env,
            STAGE: page,
            GATECHECK_STATE_DIR: join(page, 'state'),
          }),
        );
      }
      const sandbox = join(page, 'sandbox.pid');
      if (existsSync(sandbox)) process.kill(Number(readFileSync(sandbox, 'utf8')), 'SIGINT');
      // Thousands of files each: removing those of all pages at once takes a busy disk many seconds.
      await rm(page, { recursive: true, force: true, maxRetries: 3 });
      const decisive = played.find(({ code }) => code !== 0) ?? played.at(-1);
      return {
        code: decisive?.code ?? null,
        output: played.map(({ output }) => output).join('\n'),
        ended: played.at(-1)?.ended ?? [],
      };
    },
    close: async () => {
      await Promise.all([reference.close(), broken.close()]);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** `npx` and `gatecheck`, and what opens a page in a browser. */
function writePrograms(folder: string): void {
  const call = `exec "${process.execPath}" "${shim}" "${program}" "$STAGE"`;
  const programs = { npx: `${call} "$@"`, gatecheck: `${call} gatecheck "$@"`, 'xdg-open': 'exit 0' };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
}

function fingerprintIn(reportDir: string): string {
  const { findings } = JSON.parse(readFileSync(join(reportDir, 'result.json'), 'utf8')) as {
    readonly findings: readonly { readonly fingerprint: string }[];
  };
  const [first] = findings;
  if (first === undefined) throw new Error('expected a finding of the reference with a mistake; got none');
  return first.fingerprint;
}

/** The files that the docs speak of: runs, recordings, a run that was cut short, a list of known failures. */
function furnish(page: string, made: string): void {
  const latest = join(made, 'latest');
  const copy = (from: string, to: string) => cpSync(from, join(page, to), { recursive: true });
  mkdirSync(page, { recursive: true });
  for (const name of reports) copy(latest, join('reports', name));
  copy(join(made, 'broken'), 'reports/broken');
  for (const name of recordings) copy(join(latest, 'evidence.har'), name);
  for (const name of ['qa', 'production']) copy(join(latest, 'result.json'), join(name, 'result.json'));
  const lines = readFileSync(join(latest, 'evidence.ndjson'), 'utf8').split('\n');
  mkdirSync(join(page, 'reports', killedRun));
  const half = lines.slice(0, Math.ceil(lines.length / 2)).join('\n');
  writeFileSync(join(page, 'reports', killedRun, 'evidence.ndjson'), `${half}\n`);
  writeFileSync(join(page, 'gatecheck.baseline.yaml'), '[]\n');
  // A minute's requests do to see that a command works.
  writeFileSync(join(page, 'gatecheck.config.json'), '{ "profile": "smoke" }\n');
}

type Words = readonly (readonly [RegExp, string])[];

/** What stands in the place of the names, ports and times of the docs. */
function wordsOf({ url, stateHandlerUrl, keys }: StartedReference, fingerprint: string, port: number): Words {
  return [
    [/http:\/\/127\.0\.0\.1:8080\/_state/g, stateHandlerUrl ?? ''],
    [/https:\/\/(?:qa|api)\.example\.com|http:\/\/127\.0\.0\.1:8080/g, url],
    [/https:\/\/hooks\.example\.com/g, `http://127.0.0.1:${port} --sink-listen 127.0.0.1:${port}`],
    [/qa\.example\.com/g, '127.0.0.1'],
    [/127\.0\.0\.1:(?:8080|9464)/g, '127.0.0.1:0'],
    [/WCI-STS-004\.1a2b3c4d/g, fingerprint],
    [/=…/g, `=${keys.primary.join(',')}`],
    // What keeps to half of a minute's limit has to wait for minutes.
    [/--share \d+%/g, '$& --max-requests 20'],
    // What sends as much as it can uses up every key within a second, and then waits a minute to look at what it made.
    [/--saturate --duration \d+s/g, '--saturate --duration 300ms'],
    [/--trial \d+s/g, '--trial 300ms --max-requests 600'],
    [/(?<!--every )\b\d+[ms]\b/g, '1s'],
  ];
}

function staged(script: string, words: Words): string {
  return words.reduce((text, [pattern, instead]) => text.replaceAll(pattern, instead), script);
}

async function playIn(page: string, script: string, env: NodeJS.ProcessEnv): Promise<Played> {
  // A group of its own: what a page leaves in the background ends with it.
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: page, env, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'exit')) as [number | null];
  const codes = join(page, 'codes.txt');
  const ended = existsSync(codes) ? readFileSync(codes, 'utf8').trim().split('\n') : [];
  return {
    ...{ code, output },
    ended: ended.map((line) => ({ how: line.split(': ')[0] ?? '', args: line.replace(/^[^:]*: /, '') })),
  };
}
