import type { StepResult } from 'allure-js-commons';
import type { RunEvidence } from '../evidence/readEvidence.ts';
import type { Finding } from '../../engine/finding.ts';
import { targetOf } from '../page/moments.ts';
import { callbacksOf, stepsOf } from '../steps.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { wireText } from './attachments.ts';

type Step = StepResult;

/** A finding as a step, with substeps for the requests and callbacks of its case, each with what was on the wire. */
export function findingStep(finding: Finding, { byId }: Pick<RunEvidence, 'byId'>): Step {
  const moments = [...stepsOf(finding), ...callbacksOf(finding)];
  const { exchanges, decisive = exchanges.at(-1) } = finding;
  const shown = exchanges.filter((id) => byId.has(id));
  const steps =
    shown.length > 0
      ? shown.map((id) => wireStep(id, id === decisive, byId))
      : moments.map(({ line }, index) => step(line, index === moments.length - 1));
  const left = exchanges.length - shown.length;
  return {
    ...step(`Expected ${finding.expected}; got ${finding.actual}`, true),
    steps: shown.length > 0 && left > 0 ? [...steps, step(`… and ${left} more like these`, false)] : steps,
    parameters: [
      { name: 'confirmed', value: finding.confirmed },
      { name: 'again', value: oneLine(shorten(finding.reproduce.command, 1000)) },
      { name: 'fingerprint', value: finding.fingerprint },
    ],
  };
}

function wireStep(id: string, isDecisive: boolean, byId: RunEvidence['byId']): Step {
  const line = byId.get(id);
  if (line === undefined) return step(id, isDecisive);
  const start = Date.parse(line.startedAt);
  const [what, answer] =
    line.type === 'exchange'
      ? [
          `${line.request.method} ${targetOf(line.request.url)}`,
          `HTTP ${line.response?.status ?? 'no answer'}`,
        ]
      : [`callback ${line.request.method} ${line.request.target}`, `answered ${line.answer}`];
  return {
    ...step(`${id} ${what}: ${answer}`, isDecisive),
    start,
    stop: Math.round(start + line.durationMs),
    attachments: [{ name: `${id} request and answer`, source: attachmentName(id), type: 'text/plain' }],
  };
}

/** The attachments of findings by file name, each once. */
export function attachmentsOf({ byId }: Pick<RunEvidence, 'byId'>): ReadonlyMap<string, string> {
  return new Map([...byId].map(([id, line]) => [attachmentName(id), wireText(line)]));
}

function attachmentName(id: string): string {
  return `${id.replace(/[^\w.-]/g, '_')}-attachment.txt`;
}

function step(name: string, isBroken: boolean): Step {
  return {
    name: oneLine(shorten(name, 500)).toWellFormed(),
    status: (isBroken ? 'failed' : 'passed') as NonNullable<Step['status']>,
    statusDetails: {},
    stage: 'finished' as Step['stage'],
    steps: [],
    attachments: [],
    parameters: [],
  };
}
