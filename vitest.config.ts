import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'suites/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      { test: { name: 'integration', include: ['test/**/*.test.ts'], pool: 'forks', testTimeout: 120_000 } },
    ],
  },
});
