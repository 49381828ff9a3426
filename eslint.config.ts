import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const notes = ['todo', 'fixme', 'xxx'];
const foreignWords = [
  'spelt',
  'whilst',
  'learnt',
  'amongst',
  'thereof',
  'thereby',
  'whence',
  'behaviour',
  'colour',
  'favour',
];
/** Names that had to be explained: ARCHITECTURE.md has the nouns that took their place. */
const formerNames = ['stranger', 'rally', 'deaf', 'letGo', 'foretell', 'knowledge'];

export default defineConfig(
  { ignores: ['dist', 'reports', 'node_modules', '.stryker-tmp'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      // One program for all files: a service that opens them one by one takes a sixth more.
      parserOptions: {
        project: ['tsconfig.json', 'src/sink/page/tsconfig.json', 'src/report/page/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // Notes to oneself, and words that an American engineer would not write.
      'no-warning-comments': ['error', { terms: [...notes, ...foreignWords], location: 'anywhere' }],
      'id-denylist': ['error', ...formerNames],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, ignoreUsingDeclarations: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-definitions': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // There are no enums to assign wrongly, and classes with private members are nominal for the compiler itself.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
);
