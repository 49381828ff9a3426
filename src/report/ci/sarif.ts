import type { Finding } from '../../engine/finding.ts';
import { gateOf } from '../gate.ts';
import { sourceText } from '../sources.ts';
import type { RequirementResult, RunResult } from '../result.ts';
import { findingState } from '../states.ts';
import { printable, shorten } from '../text/printable.ts';
import { resourceOf, storyOf } from './place.ts';

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** The findings as SARIF 2.1.0: a rule for each broken requirement; findings of the baseline are suppressed. */
export function renderSarif(result: RunResult): string {
  const rows = new Map(result.requirements.map((row) => [row.id, row]));
  const broken = [...new Set(result.findings.map(({ requirement }) => requirement))];
  const ended = Date.parse(result.run.startedAt) + result.run.durationMs;
  const run = {
    tool: {
      driver: {
        name: result.tool.name,
        version: result.tool.version,
        rules: broken.map((id) => ruleOf(id, rows.get(id))),
      },
    },
    invocations: [
      {
        executionSuccessful: gateOf(result.summary)?.state !== 'undecided',
        startTimeUtc: result.run.startedAt,
        endTimeUtc: new Date(ended).toISOString(),
        ...(result.summary.exitCode === undefined ? {} : { exitCode: result.summary.exitCode }),
      },
    ],
    columnKind: 'utf16CodeUnits',
    results: result.findings.map((finding) =>
      resultOf(finding, rows.get(finding.requirement), broken.indexOf(finding.requirement)),
    ),
  };
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

function ruleOf(id: string, row: RequirementResult | undefined): object {
  return {
    id,
    shortDescription: { text: say(row?.title ?? id) },
    ...(row ? { help: { text: say(`${row.level}, ${sourceText(row.source)}`) } } : {}),
    defaultConfiguration: { level: row?.level === 'must' ? 'error' : 'warning' },
    properties: { tags: ['conformance', ...(row ? [row.level] : [])] },
  };
}

function resultOf(finding: Finding, row: RequirementResult | undefined, ruleIndex: number): object {
  const uri = encodeURI(resourceOf(finding, row));
  return {
    ruleId: finding.requirement,
    ruleIndex,
    level: (finding.severity ?? 'fail') === 'fail' ? 'error' : 'warning',
    message: { text: say(`${findingState(finding)}: ${storyOf(finding, row)}`) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: say(finding.check), kind: 'function' }],
      },
    ],
    partialFingerprints: { 'gatecheck/v1': finding.fingerprint },
    ...(findingState(finding) === 'known'
      ? { suppressions: [{ kind: 'external', justification: 'listed in the baseline' }] }
      : {}),
  };
}

function say(text: string): string {
  return printable(shorten(text, 4000)).toWellFormed();
}
