import { shownStart } from '../core/ownStart.ts';
import type { Redactor } from '../core/redact.ts';
import { isObject, type Json } from '../trace/json.ts';
import type { Reason, Wrong } from '../spec/kernel/violation.ts';
import { reasonWords } from '../spec/wording/reasons.ts';
import { wordsOf } from '../spec/wording/words.ts';
import type { Finding } from './finding.ts';

/** Longest text of a finding that comes from answers; the evidence has it whole. */
const longestText = 10_000;
/** Longest part of a value: there may be many in one. */
const longestPart = 1_000;
const mostReasons = 100;

type Shown = Required<Pick<Finding, 'at' | 'want' | 'got' | 'because' | 'expected' | 'actual'>>;

/** A violation as a finding shows it: without any secret, and short. Secrets are replaced before anything is cut. */
export function shownWrong(wrong: Wrong, redactor: Redactor): Shown {
  const clean = (text: string) => redactor.redact(text);
  const { at, want, got } = wrong;
  const place = shownStart(clean(at), longestPart);
  const cleaned = { ...wrong, at: place, want: cleanJson(want, clean), got: cleanJson(got, clean) } as Wrong;
  const { expected, actual } = wordsOf(cleaned);
  return {
    expected: shownStart(clean(expected), longestText),
    actual: shownStart(clean(actual), longestText),
    at: place,
    want: cutJson(cleaned.want) as Shown['want'],
    got: cutJson(cleaned.got) as Shown['got'],
    because: reasonsOf(wrong).map((reason) => ({
      exchange: reason.id,
      text: shownStart(clean(textOf(reason, at)), longestPart),
    })),
  };
}

function reasonsOf({ because = [] }: Wrong): readonly Reason[] {
  if (because.length <= mostReasons) return because;
  return [...because.slice(0, mostReasons / 2), ...because.slice(-mostReasons / 2)];
}

function textOf(reason: Reason, at: string): string {
  return 'timings' in reason || 'registration' in reason || 'type' in reason ? reasonWords(reason, at) : '';
}

/** A number may be a secret as well. */
function cleanJson(json: unknown, clean: (text: string) => string): Json {
  if (typeof json === 'string') return clean(json);
  if (typeof json === 'number') return clean(`${json}`) === `${json}` ? json : clean(`${json}`);
  if (Array.isArray(json)) return json.map((one) => cleanJson(one, clean));
  if (!isObject(json)) return json === true || json === false ? json : null;
  const members = Object.entries(json).filter(([, own]) => own !== undefined);
  return Object.fromEntries(members.map(([name, own]) => [clean(name), cleanJson(own, clean)]));
}

function cutJson(json: unknown): Json {
  if (typeof json === 'string') return shownStart(json, longestPart);
  if (Array.isArray(json)) return json.map(cutJson);
  if (!isObject(json)) return json as Json;
  return Object.fromEntries(
    Object.entries(json).map(([name, own]) => [shownStart(name, longestPart), cutJson(own)]),
  );
}
