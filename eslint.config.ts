import { defineConfig } from 'eslint/config';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

// Left to right: each folder may import from those before it. Only `core` is open to all, and `reference` knows nobody else.
const flow = [
  'core',
  'catalogue',
  'plan',
  'generate',
  'send',
  'receive',
  'judge',
  'limits',
  'load',
  'target',
  'engine',
  'settings',
  'show',
  'report',
  'sink',
  'run',
  'cli',
];

const zones = [
  ...flow.map((folder, index) => ({
    target: `./src/${folder}/**/!(*.test).ts`,
    from: [...flow.slice(index + 1), ...(index < flow.indexOf('target') ? ['reference'] : [])].map(
      (later) => `./src/${later}`,
    ),
    message: 'Imports point left only: catalogue → plan → generate → send/receive → judge → report.',
  })),
  {
    target: './src/reference',
    from: flow.filter((folder) => folder !== 'core').map((folder) => `./src/${folder}`),
    message: 'The reference shares no code with the harness, so that one mistake cannot hide the other.',
  },
  {
    target: './src',
    from: './suites',
    except: [],
    message: 'Suites are loaded by path, never imported.',
  },
].filter((zone) => zone.from.length > 0);

export default defineConfig(
  { ignores: ['dist', 'reports', 'node_modules', '.stryker-tmp'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    plugins: { 'import-x': importX },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    settings: { 'import-x/resolver': { node: { extensions: ['.ts'] } } },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-default-export': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-definitions': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
);
