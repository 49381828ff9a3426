import { expect, test } from 'vitest';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { renderRequirements, type RequirementListing } from './renderRequirements.ts';

const catalogue = loadCatalogue();
const rows: readonly RequirementListing[] = [
  {
    ...catalogue.get('WCI-LST-007'),
    checks: [
      { id: 'list.limit.low', title: 'a limit of 0 or -5' },
      { id: 'list.limit.any', title: 'any limit' },
    ],
  },
  { ...catalogue.get('SHR-AUT-019'), checks: [] },
  { ...catalogue.get('WCI-OPN-002'), checks: [{ id: 'open.row.back', title: 'back as a row' }] },
  { ...catalogue.get('WCI-SUB-047'), checks: [] },
];

test('renders a table for the terminal', () => {
  expect(renderRequirements(rows, 'table')).toMatchInlineSnapshot(`
    "WCI-LST-007  must      A limit of 0 or below is clamped to 1, unless it is refused with 400.
                           Web Check-in: GET /extPartner/api/webcheckin/requests
                           checked by list.limit.low: a limit of 0 or -5
                           checked by list.limit.any: any limit
    SHR-AUT-019  consumer  The caller keeps the API key private.
                           Flight Alerts: Authentication
                           excused: Binds the caller. Gatecheck replaces every key, callback key and auth_header value by a label in all output and evidence.
    WCI-OPN-002  open      Is the row preference back accepted?
                           Web Check-in: Seat preference
                           variant accepted: accepted
                           variant refused: refused with 400
                           checked by open.row.back: back as a row
    WCI-SUB-047  must      A document without type is 400 VALIDATION_ERROR.
                           Web Check-in: Supporting document (element of \`documents\`), Errors
                           not checked
    4 rows: 2 checked, 1 excused, 1 not checked
    "
  `);
});

test('renders Markdown', () => {
  expect(renderRequirements(rows, 'markdown')).toMatchInlineSnapshot(`
    "# Requirements

    4 rows: 2 checked, 1 excused, 1 not checked

    | id | level | statement | source | checked by |
    |---|---|---|---|---|
    | \`WCI-LST-007\` | must | A limit of 0 or below is clamped to 1, unless it is refused with 400. | Web Check-in: GET /extPartner/api/webcheckin/requests | \`list.limit.low\`<br>\`list.limit.any\` |
    | \`SHR-AUT-019\` | consumer | The caller keeps the API key private. | Flight Alerts: Authentication | excused: Binds the caller. Gatecheck replaces every key, callback key and auth_header value by a label in all output and evidence. |
    | \`WCI-OPN-002\` | open | Is the row preference back accepted?<br>– accepted: accepted<br>– refused: refused with 400 | Web Check-in: Seat preference | \`open.row.back\` |
    | \`WCI-SUB-047\` | must | A document without type is 400 VALIDATION_ERROR. | Web Check-in: Supporting document (element of \\\`documents\\\`), Errors | not checked |
    "
  `);
});

test('renders JSON that holds every field', () => {
  expect(JSON.parse(renderRequirements(rows.slice(0, 1), 'json'))).toMatchInlineSnapshot(`
    {
      "requirements": [
        {
          "api": "webcheckin",
          "checks": [
            {
              "id": "list.limit.low",
              "title": "a limit of 0 or -5",
            },
            {
              "id": "list.limit.any",
              "title": "any limit",
            },
          ],
          "condition": null,
          "derived": null,
          "excused": null,
          "id": "WCI-LST-007",
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
              "section": "GET /extPartner/api/webcheckin/requests",
            },
          ],
          "title": "A limit of 0 or below is clamped to 1, unless it is refused with 400.",
          "trap": "The default of 25 in place of 0 is the violation where values are clamped. 400 is one of the open readings.",
        },
      ],
    }
  `);
});

test.each(['table', 'markdown', 'json'] as const)('renders no rows as %s', (format) => {
  expect(renderRequirements([], format)).toMatchSnapshot();
});

test('renders the whole catalogue, a row for each requirement', () => {
  const all = [...catalogue.requirements, ...catalogue.openPoints].map((row) => ({ ...row, checks: [] }));
  const lines = renderRequirements(all, 'markdown').split('\n');
  expect(lines.filter((line) => line.startsWith('| `'))).toHaveLength(all.length);
});
