import type { StepResult } from 'allure-js-commons';
import type { Finding } from '../../engine/findings/finding.ts';
import type { Moment } from '../page/moments.ts';
import type { ShownEvidence } from '../page/pageData.ts';
import { storyLines } from '../page/storyLines.ts';
import { oneLine, shorten, printable } from '../text/printable.ts';
import type { Headers } from '../../core/evidence.ts';
import { isTooDeep } from '../../core/tooDeep.ts';
import type { DeliveryLine, ExchangeLine, RecordedBody } from '../../send/journalLine.ts';

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

const longest = 50_000;

/** An exchange or a callback as text: what was sent, and what was answered. */
export function wireText(line: ExchangeLine | DeliveryLine): string {
  if (line.type === 'delivery') {
    const { method, target, headers, body } = line.request;
    return messages([`${method} ${target}`, headers, body], [`answered ${line.answer}`, [], null]);
  }
  const { request, response, failure } = line;
  const asked = [`${request.method} ${request.url}`, request.headers, request.body] as const;
  if (response === null)
    return messages(asked, [`no answer: ${failure?.reason ?? ''} ${failure?.message ?? ''}`, [], null]);
  return messages(asked, [`HTTP ${response.status}`, response.headers, response.body]);
}

type Message = readonly [first: string, headers: Headers, body: RecordedBody];

function messages(...both: readonly [Message, Message]): string {
  return both
    .map(([first, headers, body]) =>
      [first, ...headers.map(([name, value]) => `${name}: ${value}`), '', bodyText(body)]
        .join('\n')
        .trimEnd(),
    )
    .map((text) => printable(shorten(text, longest)).toWellFormed())
    .join('\n\n');
}

/** JSON is indented for reading; of bytes that are not text, only the number is shown. */
function bodyText(body: RecordedBody): string {
  if (body === null) return '';
  if ('base64' in body) return `(${Buffer.byteLength(body.base64, 'base64')} bytes that are not text)`;
  try {
    return body.text.length > longest || isTooDeep(body.text)
      ? body.text
      : JSON.stringify(JSON.parse(body.text), null, 2);
  } catch {
    return body.text;
  }
}
