import type { Script, ScriptedAnswer } from '../receive/script.ts';
import { duration, textForm } from '../settings/forms.ts';

/** Most deliveries for one answer of a script. */
const mostTimes = 1_000;

/**
 * How a sink answers: `503x3,200` fails three times and then accepts, `200+2s` answers late, `302=/next` redirects, `silence`,
 * `reset` and `close-early` do not answer.
 */
export const scriptForm = textForm<Script>({
  expected:
    'comma-separated answers, such as 503x3,200 or 200+2s or 302=/next; each a status, silence, reset or close-early, ' +
    'xN for N times, and the last one for all that follow',
  read: (text) => {
    const answers = text.split(',').map((part) => parseAnswer(part.trim()));
    if (answers.some((answer) => answer === null)) return undefined;
    const [first, ...rest] = answers.flatMap((answer) => answer ?? []);
    return first === undefined ? undefined : [first, ...rest];
  },
});

function parseAnswer(text: string): readonly ScriptedAnswer[] | null {
  const [, what = '', times = '1'] = /^(.*?)(?:x(\d{1,4}))?$/.exec(text) ?? [];
  const answer = parseOne(what);
  const count = Number(times);
  if (answer === null || count < 1 || count > mostTimes) return null;
  return Array.from({ length: count }, () => answer);
}

function parseOne(text: string): ScriptedAnswer | null {
  if (text === 'silence' || text === 'reset' || text === 'close-early') return { kind: text };
  const [, digits, late, location] = /^([2-5]\d\d)(?:\+([\da-z]+))?(?:=([!-~]+))?$/.exec(text) ?? [];
  if (digits === undefined) return null;
  const delayMs = late === undefined ? undefined : duration.safeParse(late).data;
  if (late !== undefined && delayMs === undefined) return null;
  return {
    kind: 'status',
    status: Number(digits),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(location === undefined ? {} : { headers: [['location', location]] }),
  };
}

/** The text that `scriptForm` reads as this script. */
export function renderScript(script: Script): string {
  const parts: [text: string, times: number][] = [];
  for (const answer of script) {
    const text = renderAnswer(answer);
    const last = parts.at(-1);
    if (last?.[0] === text) last[1] += 1;
    else parts.push([text, 1]);
  }
  return parts.map(([text, times]) => (times === 1 ? text : `${text}x${times}`)).join(',');
}

function renderAnswer(answer: ScriptedAnswer): string {
  if (answer.kind !== 'status') return answer.kind;
  const { status, delayMs = 0, headers = [] } = answer;
  const location = headers.find(([name]) => name === 'location')?.[1];
  return `${status}${delayMs > 0 ? `+${delayMs}ms` : ''}${location === undefined ? '' : `=${location}`}`;
}
