import type { StepResult } from 'allure-js-commons';
import type { Finding } from '../../engine/findings/finding.ts';
import type { Moment } from '../page/moments.ts';
import type { ShownEvidence } from '../page/pageData.ts';
import { storyLines } from '../page/storyLines.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { wireText } from './attachments.ts';

type Step = StepResult;

/** A finding as a step, with the steps of its case, each with what was on the wire. */
export function findingStep(finding: Finding, evidence: ShownEvidence): Step {
  return {
    ...step(`Expected ${finding.expected}; got ${finding.actual}`, true),
    steps: storyLines(finding, evidence).map(({ text, isDecisive, moment }) => ({
      ...step(text, isDecisive),
      ...(moment === null ? {} : { start: moment.at, stop: endOf(moment), attachments: attachedTo(moment) }),
    })),
    parameters: [
      { name: 'confirmed', value: finding.confirmed },
      { name: 'again', value: oneLine(shorten(finding.reproduce.command, 1000)) },
      { name: 'fingerprint', value: finding.fingerprint },
    ],
  };
}

function endOf(moment: Moment): number {
  return Math.round(moment.at + (moment.kind === 'state' ? 0 : moment.line.durationMs));
}

function attachedTo({ kind, id }: Moment): Step['attachments'] {
  if (kind === 'state') return [];
  return [{ name: `${id} request and answer`, source: attachmentName(id), type: 'text/plain' }];
}

/** The attachments of findings by file name, each once. */
export function attachmentsOf(
  findings: readonly Finding[],
  evidence: ShownEvidence,
): ReadonlyMap<string, string> {
  const moments = findings.flatMap((finding) =>
    storyLines(finding, evidence).flatMap(({ moment }) => moment ?? []),
  );
  const lines = new Map(
    moments.flatMap(({ kind, id, line }) => (kind === 'state' ? [] : [[id, line] as const])),
  );
  return new Map([...lines].map(([id, line]) => [attachmentName(id), wireText(line)]));
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
