import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { readForms, type Feature } from '../grammar/readForms.ts';
import { wrong, type Said } from '../kernel/findings.ts';
import type { Value } from '../kernel/value.ts';

/** What a refused callback is answered with: malformed data, or a callback that fails validation. */
const due: readonly Value[] = [
  { kind: 'answer', status: 400, code: 'VALIDATION_ERROR' },
  { kind: 'answer', status: 422, code: 'REJECTED' },
];

/** Sentences about the text of a value, which callback validation alone can find. */
const ofValues: ReadonlySet<string | null> = new Set(
  ['003', '008', '009', '010', '011', '012'].map((number) => `WCI-CBR-${number}`),
);

/** Refusals that may come before the body is looked at, and answers of HTTP itself. */
const otherwise: ReadonlySet<number> = new Set([
  ...[401, 402, 429],
  ...[405, 408, 411, 413, 414, 415, 417, 421, 425, 426, 431],
]);

export const callbackRefusalRows = ['WCI-CBR-013', 'WCI-CBR-020'] as const;

/** How a subscribe is refused in which nothing is wrong but its callbackData. */
export function judgeCallbackRefusal(call: Call): readonly Said[] {
  const { op, carrier, body, status, answer, keyState } = call;
  if (op !== 'wci.subscribe' || body === null || carrier === 'unread' || keyState !== 'active') return [];
  if (status === null || status < 400 || status >= 500 || otherwise.has(status) || !isObject(answer))
    return [];
  const lacks = readForms(body, { operation: op, carrier }).filter(isLack);
  const [fault] = lacks;
  if (!fault || !lacks.every(({ kind, at }) => kind === 'fault' && at.startsWith('callbackData'))) return [];
  const { error } = answer;
  const code = typeof error === 'string' ? error : '';
  const got: Value = { kind: 'answer', status, code };
  const isDue = due.some((one) => one.kind === 'answer' && one.status === status && one.code === code);
  const refusal = isDue ? null : wrong('refusal', 'answer', { kind: 'one-of', values: due }, got);
  const want: Value = { kind: 'answer', status: 422, code: 'REJECTED' };
  const validation = status === 400 ? wrong('malformed', 'answer', want, got) : null;
  const isOfValue = lacks.every(({ rule }) => ofValues.has(rule));
  return [['WCI-CBR-013', refusal], ...(isOfValue ? [['WCI-CBR-020', validation] as const] : [])];
}

function isLack({ kind }: Feature): boolean {
  return kind === 'fault' || kind === 'lacking';
}
