import type { Finding, StoredCase } from '../../engine/findings/finding.ts';
import { answerOf, jsonOf, leavesOf, memberNamedBy, nameOfMember } from '../member.ts';
import { bodyText, decisiveOf } from '../page/moments.ts';
import { countedIn } from '../story.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { restsOn, type CaseEvent, type ScriptCase } from './scriptCase.ts';
import {
  realKey,
  scriptKeys,
  scriptSteps,
  scriptVariables,
  type ScriptKey,
  type ScriptStep,
  type ScriptVariable,
} from './scriptSteps.ts';
import { compact, signOf, type Sign } from './sign.ts';

/** What a script is generated from. */
export interface ScriptInput {
  readonly finding: Finding;
  readonly title: string;
  readonly baseUrl: string;
  readonly steps: readonly ScriptStep[];
  readonly keys: readonly ScriptKey[];
  readonly variables: readonly ScriptVariable[];
  readonly sign: Sign;
  readonly makesEnterprises: boolean;
}

/** More steps than this are not readable as a sequence. */
const mostSteps = 40;

/** What a script needs, or why a script cannot show the finding. */
export function scriptInput(
  finding: Finding,
  title: string,
  { events, makesEnterprises }: ScriptCase,
): ScriptInput | { readonly reason: string } {
  const reason = reasonAgainst(finding, events);
  if (reason !== null) return { reason };
  const upTo = events.slice(0, decidingIndex(finding, events) + 1);
  const last = upTo.at(-1);
  if (last?.kind !== 'exchange') return { reason: 'no request is decisive' };
  const steps = scriptSteps(withoutPolls(upTo));
  const variables = scriptVariables(steps, idsDue(finding));
  const before = upTo.slice(0, -1);
  const sign = isInEarlierAnswer(finding, before) ? null : signOf(finding, last.line, variables);
  if (sign === null)
    return {
      reason: 'Gatecheck compares several answers or values for it, which a line of shell cannot',
    };
  return {
    ...{ finding, title, steps, variables, sign, makesEnterprises },
    keys: scriptKeys(steps),
    baseUrl: /^https?:\/\/[^/]*/.exec(last.line.request.url)?.[0] ?? '',
  };
}

function idsDue(finding: Finding): readonly string[] {
  return /id$/i.test(nameOfMember(finding) ?? '') ? leavesOf(jsonOf(finding.want)).map(String) : [];
}

/** What is expected came in an earlier answer: which of the two answers is wrong is another question. */
function isInEarlierAnswer(finding: Finding, before: readonly CaseEvent[]): boolean {
  const named = restsOn(finding);
  const answers = before.flatMap((event) =>
    event.kind === 'exchange' && named.has(event.line.id) && event.line.response ? [event.line.response] : [],
  );
  const { want } = finding;
  const isAsBefore = isPassive(finding) && want?.kind === 'answer' && want.status >= 400;
  if (isAsBefore) return answers.some(({ status }) => status === want.status);
  const member = memberNamedBy(finding)?.split('.').at(-1);
  const due = jsonOf(want);
  if (member === undefined || due === undefined || /id$/i.test(member)) return false;
  if (typeof due === 'object' && (!isPassive(finding) || finding.got?.kind === 'absent')) return false;
  return answers.some(({ body }) => compact(bodyText(body)).includes(`"${member}":${JSON.stringify(due)}`));
}

function decidingIndex(finding: Finding, events: readonly CaseEvent[]): number {
  const moments = events.flatMap((event, index) =>
    event.kind === 'exchange'
      ? [{ kind: 'exchange' as const, line: event.line, at: index, id: event.line.id }]
      : [],
  );
  const id = decisiveOf(finding, moments);
  return moments.find((moment) => moment.id === id)?.at ?? -1;
}

function reasonAgainst(finding: Finding, events: readonly CaseEvent[]): string | null {
  const lines = events.flatMap((event) => (event.kind === 'exchange' ? [event.line] : []));
  if (finding.exchanges.some((id) => id.startsWith('c')))
    return 'a callback shows it, and a script receives none';
  if (countedIn(finding).length > 0 || lines.length > mostSteps)
    return `it takes ${Math.max(lines.length, countedIn(finding).length)} requests together, and the time at which each of them was sent`;
  const isAnswer = answerOf(finding) !== null;
  if (!isAnswer && (finding.at === 'callback' || finding.requirement.includes('-CB-')))
    return 'it is about a callback, and a script receives none';
  if (finding.requirement.startsWith('SHR-LIM-'))
    return 'it depends on how full the rate limit is at that time';
  const named = restsOn(finding);
  const own = lines.filter(({ id }) => named.has(id));
  if (own.some(({ key }) => key !== null && !realKey.test(key) && !/^(?:empty|unknown)$/.test(key)))
    return 'it sends a key that was altered, and no report holds keys';
  if (events.some((event) => event.kind === 'state' && !isWhole(event.line.data.params)))
    return 'a state of it has more parameters than the evidence keeps';
  if (isPassive(finding) && own.length < 2 && finding.code?.startsWith('known:') === true)
    return 'it rests on what earlier requests did, which its case does not hold';
  const writes = own.filter(({ request }) => request.method !== 'GET');
  if (writes.some((line, index) => overlaps(line, writes[index + 1])))
    return 'it takes requests that are sent at the same time';
  const deciding = lines.find(({ id }) => id === finding.decisive) ?? lines.at(-1);
  if (deciding?.response == null) return 'no complete answer came, and a script cannot tell why';
  return null;
}

/** An oracle saw it in passing. */
function isPassive({ case: stored }: Finding): boolean {
  return (stored as Partial<StoredCase> | undefined)?.whole === true;
}

/** Long parameters are cut in the journal. */
function isWhole(params: string): boolean {
  try {
    JSON.parse(params);
    return true;
  } catch {
    return false;
  }
}

function overlaps(one: CaseLine, next: CaseLine | undefined): boolean {
  return next !== undefined && Date.parse(one.startedAt) + one.durationMs > Date.parse(next.startedAt) + 1;
}

type CaseLine = Extract<CaseEvent, { kind: 'exchange' }>['line'];

/** Of repeated identical reads, the first and the last. */
function withoutPolls(events: readonly CaseEvent[]): readonly CaseEvent[] {
  return events.filter((event, index) => {
    const [before, after] = [events[index - 1], events[index + 1]];
    return before === undefined || after === undefined || !(isAgain(before, event) && isAgain(event, after));
  });
}

function isAgain(one: CaseEvent, other: CaseEvent): boolean {
  if (one.kind !== 'exchange' || other.kind !== 'exchange') return false;
  return (
    other.line.request.method === 'GET' &&
    one.line.request.url === other.line.request.url &&
    one.line.key === other.line.key
  );
}

/** The head of a script, a line each. */
export function headOf({
  finding,
  title,
  steps,
  sign,
  makesEnterprises,
  keys,
}: ScriptInput): readonly string[] {
  const states = steps.filter((step) => step.kind === 'state');
  const variables = [...new Set(keys.map(({ from }) => from))];
  return [
    `${finding.requirement}: ${title}`,
    `Expected ${finding.expected}; got ${finding.actual}.`,
    `It shows again if the last answer has ${sign.words}.`,
    ...(variables.length === 0 ? [] : [`Keys come from the environment: ${variables.join(', ')}.`]),
    ...(states.length === 0
      ? []
      : [
          `States are needed, which the state handler sets (POST to GATECHECK_STATE_HANDLER): ${[...new Set(states.map(({ state }) => state))].join(', ')}.`,
        ]),
    ...(makesEnterprises
      ? ['With GATECHECK_STATE_HANDLER set, the script makes its own enterprises and needs no keys for them.']
      : []),
    'Dates and flights are those of the run. Written by gatecheck replay --script.',
  ].map((text) => oneLine(shorten(text, 500)));
}
