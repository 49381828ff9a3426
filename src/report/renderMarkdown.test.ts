import { expect, it } from 'vitest';
import { sampleFinding, sampleResult } from '../../test/support/sampleResult.ts';
import { renderMarkdown } from './renderMarkdown.ts';

it('tells the verdict, then the findings, then the rest', () => {
  expect(renderMarkdown(sampleResult())).toMatchInlineSnapshot(`
    "## ✗ Gatecheck: nonconformant, gate not met: 1 requirement failed

    The target does not keep to the documents.  
    1 requirement failed.

    1 passed · 1 failed · 1 warned · 1 observed · 1 not applicable · 2 skipped · 1 inconclusive  
    312 requests · 14 callbacks · 9 quota units · 2 min 12 s  
    https\\://qa.example · profile standard · seed 42

    ### 1 finding

    #### ✗ fail WCI-STS-004 · Web Check-in: GET /extPartner/api/webcheckin/status

    Status of an unknown checkin_id is 404 NOT_FOUND.
    - Expected: \`404 with error NOT_FOUND\`
    - Actual: \`400 with error VALIDATION_ERROR\`
    - Look at: What turns the stored attempt into an answer.

    <details><summary>Reproduce</summary>

    \`\`\`sh
    gatecheck replay WCI-STS-004.997d5a67
    curl -H "X-API-Key: $GATECHECK_KEYS_PRIMARY" 'https://qa.example/extPartner/api/webcheckin/status?checkin_id=wci_000000000001'
    \`\`\`

    \`\`\`
    GET /extPartner/api/webcheckin/status?checkin_id=wci_000000000001
    \`\`\`

    Confirmed 2 of 2 by \`wci.status.unknown\`, fingerprint \`WCI-STS-004.997d5a67\`

    </details>

    With requests and answers: [report.html](report.html)

    | level | judged | applying | share |
    |---|--:|--:|--:|
    | must | 2 | 6 | 33 % |
    | should | 1 | 1 | 100 % |

    <details><summary><b>Inconclusive (1)</b></summary>

    | requirements | reason | ids |
    |--:|---|---|
    | 1 | the sink was not reachable from the target | FLA-CB-001 |

    </details>

    <details><summary><b>Open points: the dialect of this target (1)</b></summary>

    | id | question | observed | pinned |
    |---|---|---|---|
    | WCI-OPN-001 | Which airline-code length is enforced | two alphanumeric characters |  |

    </details>

    <details><summary><b>Left behind by this run (1)</b></summary>

    | kind | total | uncertain |
    |---|--:|--:|
    | checkin | 1 | 0 |

    All of it is synthetic: passengers have the last name Gatecheck, alone or as its last word; their addresses are in example domains or begin with gatecheck; external flight ids begin with 00gatecheck-; and callbacks have gatecheck in their address or auth_header. A subscription without a callback has no member for a mark. Each is listed in result.json, with its id.

    </details>

    <details><summary><b>Not judged, and what would enable it (1)</b></summary>

    | requirements | reason | ids |
    |--:|---|---|
    | 1 | needs revoked-key: set GATECHECK_KEY_REVOKED | SHR-AUT-003 |

    </details>

    <details><summary><b>Not applicable: the deployment did not bring it about (1)</b></summary>

    | requirements | reason | ids |
    |--:|---|---|
    | 1 | applies only if a subscribe is answered 200 with message REJECTED | WCI-SUB-010 |

    </details>

    1 requirement cannot be observed from outside; report.html lists them with the reasons.
    "
  `);
});

it('shows twenty causes in full and counts the others', () => {
  const findings = Array.from({ length: 25 }, (_, index) =>
    sampleFinding({ requirement: `WCI-STS-${100 + index}`, check: `c${index}`, exchanges: [`x${index}`] }),
  );
  const text = renderMarkdown(sampleResult({ findings }));
  expect(text.match(/^#### /gm)).toHaveLength(20);
  expect(text).toContain('5 more causes, in full in report.html:');
});

it('puts a value of several lines into a block of its own', () => {
  const text = renderMarkdown(
    sampleResult({ findings: [sampleFinding({ actual: 'page 0: 20\npage 1: 17' })] }),
  );
  expect(text).toContain('- Actual: \n\n  ```\n  page 0: 20\n  page 1: 17\n  ```\n');
});
