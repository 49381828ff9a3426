import type { LimitsResult, RunResult } from './result.ts';
import { findingState } from './states.ts';

type Limiter = NonNullable<LimitsResult['limiters']>[number];

/** What the limit checks found of one limit, as every report shows it. */
export interface ShownLimiter extends Pick<
  Limiter,
  'title' | 'name' | 'like' | 'contradictions' | 'notTried'
> {
  readonly state: 'pass' | 'fail' | 'skipped';
  /** `as documented`; empty if the name says it. */
  readonly verdict: string;
}

/** The rules that a limit breaks if no known limiter explains its answers, and the check that tries it. */
const tried = [
  { title: 'Minute limit', check: 'shared.limits.minute' },
  { title: 'Hour limit', check: 'shared.limits.hour' },
] as const;

/** Each of the two limits: as it was named, or why it was not. */
export function limitersOf({
  limits,
  findings,
}: Pick<RunResult, 'limits' | 'findings'>): readonly ShownLimiter[] {
  const named = limits?.limiters ?? [];
  const unnamed = tried.flatMap(({ title, check }): ShownLimiter[] => {
    const finding = findings.find((one) => one.check === check && findingState(one) !== 'known');
    if (finding === undefined || named.some((one) => one.title === title)) return [];
    const { actual, exchanges, decisive = exchanges.at(-1) } = finding;
    const contradictions = [
      `${finding.expected} was expected${decisive === undefined ? '' : `: ${decisive}`}`,
    ];
    const name = `not named: ${actual}`;
    return [{ title, name, state: 'fail', verdict: '', contradictions, notTried: [] }];
  });
  return [...unnamed, ...named.map(shown)];
}

function shown({ title, name, like, documented, contradictions, notTried, limit }: Limiter): ShownLimiter {
  const sent = Number(/^no limit up to (\d+)/.exec(name)?.[1] ?? Number.NaN);
  const common = { title, contradictions, notTried, ...(like === undefined ? {} : { like }) };
  // As many requests as are allowed say nothing of what happens beyond.
  if (documented && sent <= limit)
    return { ...common, name: `not tried (${sent} of ${limit} requests)`, state: 'skipped', verdict: '' };
  return documented
    ? { ...common, name, state: 'pass', verdict: 'as documented' }
    : { ...common, name, state: 'fail', verdict: 'not as documented' };
}

interface LimitsVerdict {
  readonly state: ShownLimiter['state'] | null;
  readonly text: string;
}

/** What all rules of the limits say together: a limiter may be the documented one and a rule of it be broken. */
export function limitsVerdict(
  result: Pick<RunResult, 'limits' | 'findings' | 'requirements'>,
): LimitsVerdict {
  const limiters = limitersOf(result);
  const wrong = limiters.filter(({ state }) => state === 'fail');
  const broken = brokenLimitRules(result);
  if (wrong.length > 0) return { state: 'fail', text: `Rate limits: ${wrong.map(wrongText).join('; ')}` };
  if (broken.length > 0)
    return {
      state: 'fail',
      text: `Rate limits: ${broken.join(', ')} ${broken.length === 1 ? 'fails' : 'fail'}`,
    };
  if (limiters.length === 0) return { state: null, text: 'Rate limits' };
  const untried = limiters.filter(({ state }) => state === 'skipped');
  if (untried.length === 0) return { state: 'pass', text: 'Rate limits as documented' };
  return {
    state: 'skipped',
    text: `Rate limits: ${untried.map(({ title }) => `the ${title.toLowerCase()} was not tried`).join('; ')}`,
  };
}

function wrongText({ title, name, verdict }: ShownLimiter): string {
  return `the ${title.toLowerCase()} ${verdict === '' ? `was ${name}` : `is a ${name}`}`;
}

/** The rules of the limits that fail. */
export function brokenLimitRules({ requirements }: Pick<RunResult, 'requirements'>): readonly string[] {
  return requirements
    .filter(({ id, verdict }) => id.startsWith('SHR-LIM-') && verdict === 'fail')
    .map(({ id }) => id);
}
