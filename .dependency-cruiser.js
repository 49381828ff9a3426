// Left to right: each folder may import from those before it. Only `core` is open to all, and `reference` knows nobody else.
const flow = [
  'core',
  'settings',
  'catalogue',
  'plan',
  'trace',
  'spec',
  'generate',
  'send',
  'receive',
  'wire',
  'judge',
  'limits',
  'target',
  'explore',
  'engine',
  'load',
  'show',
  'report',
  'sink',
  'run',
  'cli',
];

const forbidden = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const inside = (folders) => `^src/(${folders.join('|')})/`;
const tests = '\\.test\\.ts$';

export default {
  forbidden: [
    forbidden('no-circular', 'Files that import each other are one concept.', {}, { circular: true }),
    ...flow
      .slice(0, -1)
      .map((folder, index) =>
        forbidden(
          `left-of-${folder}`,
          'Imports point left only: catalogue → plan → trace → spec → generate → send/receive → judge → engine → load → report → run → cli.',
          { path: inside([folder]), pathNot: tests },
          { path: inside(flow.slice(index + 1)) },
        ),
      ),
    forbidden(
      'harness-without-reference',
      'Only targets and what proves by the reference may know it.',
      { path: inside(flow.slice(0, flow.indexOf('target'))), pathNot: tests },
      { path: '^src/reference/' },
    ),
    forbidden(
      'reference-alone',
      'The reference shares no code with the harness, so that one mistake cannot hide the other.',
      { path: '^src/reference/' },
      { path: inside(flow.slice(1)) },
    ),
    forbidden(
      'wire-without-rules',
      'The wire knows operations, carriers and paths, and no rule: it imports core, and types of send and receive.',
      { path: '^src/wire/', pathNot: tests },
      { path: '^src/(?!wire/|core/)', dependencyTypesNot: ['type-only'] },
    ),
    forbidden(
      'suites-by-path',
      'Suites are loaded by path, never imported.',
      { path: '^src/' },
      { path: '^suites/' },
    ),
    forbidden(
      'suites-front-door',
      'Suites and their helpers import what a check is written with from suites/checks.ts; journeys have src/load/journeys/front.ts.',
      { path: '^suites/', pathNot: ['^suites/(checks\\.ts$|vocabulary/|journeys/)', tests] },
      { path: '^src/' },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
