import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { GatecheckError } from '../core/errors.ts';
import { loadCatalogue } from './loadCatalogue.ts';

const documents = `
- { id: web-check-in, title: Web Check-in, version: 1.0.0, sections: [Errors, Limits] }
- { id: flight-alerts, title: Flight Alerts, version: '1.1', sections: [Errors] }
`;
const row = `
- id: SHR-ERR-001
  level: must
  api: shared
  source: { document: web-check-in, section: Errors }
  title: Errors are JSON.
  observe: black-box
`;
const point = `
- id: SHR-OPN-001
  level: open
  api: shared
  source: { document: web-check-in, section: Limits }
  title: Does it count?
  variants: [{ name: counted, title: yes it does }, { name: not-counted, title: it does not }]
  observe: black-box
  affects: [SHR-ERR-001]
`;

const folders: string[] = [];
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true });
});

describe('loadCatalogue', () => {
  test('fills what a row leaves out and freezes it through and through', () => {
    const catalogue = loadCatalogue(folder());
    expect(catalogue.get('SHR-ERR-001')).toMatchInlineSnapshot(`
      {
        "api": "shared",
        "condition": null,
        "derived": null,
        "excused": null,
        "id": "SHR-ERR-001",
        "level": "must",
        "narrows": [],
        "needs": [],
        "observe": "black-box",
        "quote": null,
        "restsOn": [],
        "sampleNeeds": null,
        "source": [
          {
            "document": "web-check-in",
            "section": "Errors",
          },
        ],
        "title": "Errors are JSON.",
        "trap": null,
      }
    `);
    expect(Object.isFrozen(catalogue.openPoints[0]?.variants[0])).toBe(true);
    expect(() => Object.assign(catalogue.requirements[0] ?? {}, { level: 'may' })).toThrow(TypeError);
  });

  test('has a version that depends on the content alone', () => {
    const version = loadCatalogue(folder()).version;
    expect(loadCatalogue(folder({ row: `# a comment\n${row}` })).version).toBe(version);
    expect(loadCatalogue(folder({ row: row.replace('JSON', 'XML') })).version).not.toBe(version);
    expect(version).toMatch(/^[0-9a-f]{12}$/);
  });

  test('throws on an id that nobody has', () => {
    expect(messageOf(() => loadCatalogue(folder()).get('SHR-ERR-999'))).toMatchInlineSnapshot(
      `"the catalogue: no row has the id SHR-ERR-999"`,
    );
  });

  test('advises by the requirement, else by its area, else in general', () => {
    const advice = `
- { for: SHR-ERR, why: to retry, look: the error handler }
- { for: SHR-ERR-001, look: the writer of JSON }
`;
    expect(loadCatalogue(folder({ advice })).adviceOn('SHR-ERR-001')).toEqual({
      why: 'to retry',
      look: 'the writer of JSON',
    });
    expect(loadCatalogue(folder({ advice })).adviceOn('SHR-ERR-002').look).toBe('the error handler');
    expect(loadCatalogue(folder()).adviceOn('SHR-ERR-001').look).toMatch(/handler of the operation/);
  });

  test('each area of the package has its advice', () => {
    const { requirements, advice } = loadCatalogue();
    const areas = new Set(requirements.map(({ id }) => id.slice(0, id.lastIndexOf('-'))));
    const without = [...areas].filter(
      (area) => !advice.some((one) => one.for === area && one.why && one.look),
    );
    // What nobody can observe has no findings.
    expect(without).toEqual(['SHR-VER']);
  });

  test.each([
    ['an unknown key', { row: `${row}  color: red\n` }],
    ['a bad level', { row: row.replace('must', 'shall') }],
    ['an open requirement', { row: row.replace('must', 'open') }],
    ['a missing title', { row: row.replace(/ {2}title:.*\n/, '') }],
    ['a bad id', { row: row.replace('SHR-ERR-001', 'ERR-1') }],
    ['a duplicate id', { row: row + row }],
    ['an unknown section', { row: row.replace('section: Errors', 'section: Errata') }],
    ['no excuse', { row: row.replace('black-box', 'not-observable') }],
    ['a plausible must', { row: `${row}  derived: plausible\n` }],
    ['a narrowed row that is not there', { row: `${row}  narrows: [SHR-ERR-002]\n` }],
    ['a row that narrows itself', { row: `${row}  narrows: [SHR-ERR-001]\n` }],
    ['one variant', { point: point.replace(/, \{ name: not-counted.*\}\]/, ']') }],
    ['variants of one name', { point: point.replace('not-counted', 'counted') }],
    ['a variant that is no slug', { point: point.replace('not-counted', 'Not counted') }],
    ['an affected row that is not there', { point: point.replace('[SHR-ERR-001]', '[SHR-ERR-002]') }],
    ['an unmet variant that is not there', { point: `${point}  unmet: never\n` }],
    ['no list', { row: 'id: SHR-ERR-001\n' }],
    ['broken YAML', { row: '- id: [\n' }],
    ['a stray file', { file: 'errors.yaml' }],
    ['advice on what is not there', { advice: '- { for: SHR-AUT, look: anywhere }' }],
  ])('refuses %s, naming file, row and field', (_, change) => {
    expect(messageOf(() => loadCatalogue(folder(change)))).toMatchSnapshot();
  });
});

interface Change {
  readonly row?: string;
  readonly point?: string;
  readonly file?: string;
  readonly advice?: string;
}

function folder(change: Change = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'gatecheck-catalogue-'));
  folders.push(path);
  writeFileSync(join(path, 'documents.yaml'), documents);
  writeFileSync(join(path, 'open-points.yaml'), change.point ?? point);
  writeFileSync(join(path, change.file ?? 'shared-errors.yaml'), change.row ?? row);
  if (change.advice !== undefined) writeFileSync(join(path, 'advice.yaml'), change.advice);
  return path;
}

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof GatecheckError)
      return error.message.replaceAll(tmpdir(), '').replace(/gatecheck-catalogue-\w+/, 'folder');
    throw error;
  }
  return 'no error';
}
