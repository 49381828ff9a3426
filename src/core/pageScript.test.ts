import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assemblePageScript } from './pageScript.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatecheck-page-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function assembled(files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return assemblePageScript(pathToFileURL(join(folder, 'script.ts')));
}

test('a script has what it imports, each module once and in a scope of its own, without types', async () => {
  const text = await assembled({
    'script.ts': `import { one } from './one.ts';\nimport { two, type Two } from './two.ts';\nconst same: Two = 3;\nresult.push(one, two(), same);\n`,
    'one.ts': `const same = 1;\nexport const one: number = same;\n`,
    'two.ts': `import type { Nothing } from './nothing.ts';\nimport { one as first } from './one.ts';\nexport type Two = number;\nconst same = 1;\nexport function two(): Two { return first + same; }\n`,
  });
  const result: number[] = [];
  runInNewContext(text, { result });
  expect(result).toEqual([1, 2, 3]);
  expect(text.match(/const one\s*= same/g)).toHaveLength(1);
});

test('a built script, from which the types are gone, is taken as it stands', async () => {
  await writeFile(join(folder, 'one.js'), `export const one = 1;\n`);
  await writeFile(
    join(folder, 'script.js'),
    `import { one } from "./one.js";\nresult.push(one);\nexport {};\n`,
  );
  const result: number[] = [];
  runInNewContext(assemblePageScript(pathToFileURL(join(folder, 'script.js'))), { result });
  expect(result).toEqual([1]);
});

test.each([
  [`import all from './one.ts';\n`, 'cannot hold "import all'],
  [`export default 1;\n`, 'cannot hold "export default'],
  [`const text = '</script>';\n`, 'would end its element'],
])('a script with %j is refused', async (script, why) => {
  await expect(assembled({ 'script.ts': script })).rejects.toThrow(why);
});

test('the build makes the script of each page', () => {
  const root = join(import.meta.dirname, '../..');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const pages = ['sink', 'report', 'proxy', 'monitor']
    .map((name) => `src/${name}/page`)
    .filter((page) => existsSync(join(root, page, 'tsconfig.json')));
  expect(pages).toContain('src/report/page');
  for (const page of pages) expect(`${scripts.build ?? ''} `).toContain(`tsc -p ${page} `);
});
