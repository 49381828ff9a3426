// `npm run sources`: what `npm run types` and eslint find, with one program for both: to work out the types of all files twice takes twice as long.
import { dirname, join } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const projects = ['tsconfig.json', 'src/sink/page/tsconfig.json', 'src/report/page/tsconfig.json'];
const host: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
};

const programs = projects.map((project) => programOf(join(root, project)));
const faults = programs.flatMap((program) => [
  ...ts.getPreEmitDiagnostics(program),
  ...(program.getCompilerOptions().declaration === true ? program.getDeclarationDiagnostics() : []),
]);
process.stdout.write(ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(faults), host));

const eslint = new ESLint({
  cwd: root,
  overrideConfig: {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { project: null, programs } },
  },
});
const results = await eslint.lintFiles('.');
const formatter = await eslint.loadFormatter();
process.stdout.write(await formatter.format(results));
const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
process.exitCode = faults.length === 0 && isClean ? 0 : 1;

function programOf(file: string): ts.Program {
  const { config, error } = ts.readConfigFile(file, (path) => ts.sys.readFile(path)) as {
    readonly config?: object;
    readonly error?: ts.Diagnostic;
  };
  if (error) throw new Error(ts.formatDiagnostics([error], host));
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(file));
  return ts.createProgram({ rootNames: fileNames, options: { ...options, noEmit: true } });
}
