import { describe, expect, test } from 'vitest';
import { renderPage } from './hostile/page.ts';
import type { Line } from './hostile/parts.ts';

const line = (faults: readonly string[]): Line => ({
  row: { group: 'sizes', name: 'a list' },
  ...{ exitCode: 1, ms: 900, heldMebibytes: 300, grownMebibytes: 20, requests: 9, said: null, faults },
});
const servers = (faults: readonly string[]) => ({
  ...{ tried: 1, lines: [line(faults)], aloneMebibytes: 531, measuredOn: '2026-11-24' },
  faults: faults.map((fault) => `sizes: a list: ${fault}`),
});
const fuzzed = { tried: 300, faults: [], measuredOn: '2026-11-23' };

describe('docs/robustness.md', () => {
  test('says by itself on which days its parts were measured', () => {
    expect(renderPage({ servers: servers([]), fuzzed })).toContain(
      'Measured: hostile servers on 2026-11-24; fuzzed answers on 2026-11-23.',
    );
  });

  test('says that all was survived only where it was', () => {
    expect(renderPage({ servers: servers([]), fuzzed })).toContain('Every case was survived.');
    const page = renderPage({ servers: servers(['held 531 MiB alone']), fuzzed });
    expect(page).not.toContain('Every case was survived.');
    expect(page).toContain('**Not survived: 1.**\n\n- sizes: a list: held 531 MiB alone\n');
  });

  test('has a command in place of what was not measured', () => {
    expect(renderPage({ fuzzed })).toContain('Not measured; `npm run hostile -- kills` does it.');
  });
});
