import { expect, test } from 'vitest';
import { renderWireConsole, renderWireJson, renderWireHtml, isWireProved } from './reportWire.ts';
import type { VariationResult } from './variationJob.ts';

const clean: VariationResult = {
  ...{ job: 'jitter#1', variation: 'jitter', alarms: [], warned: [], requests: 2100 },
};
const alarm = { row: 'WCI-LST-001', status: 'fail', reason: 'The list was <late>.' } as const;
const alarmed: VariationResult = { ...clean, job: 'blanks#1', variation: 'blanks', alarms: [alarm] };

test('terminal, data and page show a variation with an alarm, and the proof does not hold', () => {
  const proof = { variations: [clean, alarmed] };
  expect(renderWireConsole(proof)).toMatchInlineSnapshot(`
    "✗ NOT PROVED
      1 of 2 variations without an alarm

    variation blanks#1
      WCI-LST-001 fail: The list was <late>.
    "
  `);
  expect(JSON.parse(renderWireJson(proof))).toMatchObject({
    proved: false,
    summary: { variations: 2, clean: 1 },
  });
  const page = renderWireHtml(proof);
  expect(page).toContain('The proof of the wire does not hold');
  expect(page).toContain('No document says how even a network is.');
  expect(page).toContain('WCI-LST-001 fail: The list was &lt;late&gt;.');
});

test('without an alarm the proof holds', () => {
  expect(renderWireConsole({ variations: [clean] })).toMatch(/^✓ PROVED\n {2}1 of 1 variations/);
  expect(renderWireHtml({ variations: [clean] })).toContain('The proof of the wire holds');
});

test('without a variation nothing is proved', () => {
  const proof = { variations: [], onTarget: ['tried: 0 of 26 variations'] };
  expect(isWireProved(proof)).toBe(false);
  expect(renderWireConsole(proof)).toMatch(/^\? NOTHING TRIED\n {2}tried: 0 of 26/);
  expect(renderWireHtml(proof)).toContain('No variation was tried');
});
