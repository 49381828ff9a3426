import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processIo } from '../src/cli/processIo.ts';
import { checkCommandLine } from '../src/cli/program.ts';
import { startReference, type StartedReference } from '../src/reference/startReference.ts';
import {
  codeSpans,
  docPages,
  fencedBlocks,
  gatecheckLines,
  linksOf,
  pathsOf,
  root,
} from './support/docPages.ts';
import { freePort } from './support/freePort.ts';
import { followLinks } from './support/siteLinks.ts';

// What the docs say can be done: links lead somewhere, command lines are understood, and the pages to start with run as they stand.

const io = processIo(() => undefined);
const shells = ['sh', 'bash', 'console'];

describe.each(docPages())('%s', (page) => {
  test('links to files that exist', () => {
    expect(linksOf(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('names files that exist', () => {
    expect(pathsOf(page).filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
  });

  test('shows command lines that the program understands', async () => {
    const faults: string[] = [];
    for (const args of [...fencedBlocks(page, ...shells), ...codeSpans(page)].flatMap(gatecheckLines))
      await checkCommandLine({ ...io, env: withNamed(args), args }).catch((error: unknown) => {
        faults.push(`gatecheck ${args.join(' ')}: ${String(error)}`);
      });
    expect(faults).toEqual([]);
  });
});

test('ARCHITECTURE.md names files at all', () => {
  expect(pathsOf('ARCHITECTURE.md').length).toBeGreaterThan(30);
});

test('ARCHITECTURE.md has a row for every folder of the sources', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !page.includes(`| \`src/${name}/\``))).toEqual([]);
});

/** The environment, with a value for each variable that a command line names as `env:NAME`. */
function withNamed(args: readonly string[]) {
  const named = args.flatMap((word) => /^env:(\w+)$/.exec(word)?.[1] ?? []);
  return { ...Object.fromEntries(named.map((name) => [name, 'https://hooks.example.com'])), ...io.env };
}

test('the README shows command lines at all', () => {
  expect(fencedBlocks('README.md', ...shells).flatMap(gatecheckLines).length).toBeGreaterThan(10);
});

describe('the pages to start with, run line by line', () => {
  let reference: StartedReference;
  beforeAll(async () => {
    reference = await startReference();
  });
  afterAll(() => reference.close());

  test.each(['ci', 'qa', 'implementer', 'client'])(
    '%s',
    async (name) => {
      const folder = mkdtempSync(join(tmpdir(), `gatecheck-docs-${name}-`));
      try {
        const script = fencedBlocks(join('docs/start', `${name}.md`), 'sh').join('\n');
        const { code, output } = await runScript(script, folder, reference);
        expect(code, output.slice(-4_000)).toBe(0);
        // The page says that the mistake is found.
        if (name === 'implementer') expect(output).toContain('exit code 1');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    300_000,
  );
});

test('the site is built, with no link that leads nowhere', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-site-'));
  try {
    // `npm run types` finds errors of types, for less.
    const args = ['run', '--silent', 'docs', '--', '--skipErrorChecking', '--out', folder];
    execFileSync('npm', args, { cwd: root, stdio: 'pipe' });
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('Gatecheck judges a deployment');
    const rules = readFileSync(join(folder, 'documents', 'Requirements.html'), 'utf8');
    for (const rule of ['WCI-STS-004', 'FLA-GET-001', 'SHR-LIM-001']) expect(rules).toContain(rule);
    expect(followLinks(folder).broken).toEqual([]);
    expect(followLinks(folder).followed).toBeGreaterThan(2_000);
    // The check sees what is missing: a page, and a place of a page.
    appendFileSync(join(folder, 'index.html'), '<a href="gone.html">1</a><a href="modules.html#gone">2</a>');
    expect(followLinks(folder).broken).toEqual(['index.html: gone.html', 'index.html: modules.html#gone']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 240_000);

/** Runs the commands of a page in an empty folder, with the reference in the place of the deployment that it speaks of. */
async function runScript(script: string, folder: string, reference: StartedReference) {
  const port = await freePort();
  const text = script
    .replaceAll('https://qa.example.com', reference.url)
    .replaceAll('http://127.0.0.1:8080', reference.url)
    .replaceAll('8090', String(port))
    // A part of what these runs would send shows as well that the lines work.
    .replaceAll(/run (?=--min-must 20%|--only 'WCI-UPD-\*')/g, 'run --max-requests 250 ');
  const npx = join(folder, 'npx');
  writeFileSync(
    npx,
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${join(root, 'bin/gatecheck.js')}" "$@"\n`,
  );
  chmodSync(npx, 0o755);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', text], {
    cwd: folder,
    // A group of its own: what a page starts in the background ends with it, also where the page fails before it ends that.
    detached: true,
    env: {
      PATH: [folder, process.env.PATH].join(delimiter),
      HOME: folder,
      VITEST: 'true',
      KEYS: reference.keys.primary.join(','),
      GATECHECK_STATE_HANDLER: reference.stateHandlerUrl ?? '',
      GATECHECK_STATE_DIR: join(folder, 'state'),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (child.pid !== undefined) endGroup(child.pid);
  return { code, output };
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}
