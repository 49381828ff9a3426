import { type CheckContext, type Exchange, type limits, objectOf, responseOf } from '../checks.ts';

/** What refusals by the limit show about the open points: the form of retryAfter, and headers about the limit. */
export function observeRefusals(t: CheckContext, exchanges: readonly Exchange[]): void {
  const refusals = exchanges.filter((exchange) => responseOf(exchange)?.status === 429);
  const [first] = refusals;
  if (!first) return;
  for (const refusal of refusals) {
    const form = formOf(objectOf(refusal)?.retryAfter);
    if (form !== null) t.observe('SHR-OPN-004', form, refusal);
  }
  t.observe('SHR-OPN-006', headersOf(exchanges, refusals), first);
}

function formOf(value: unknown): string | null {
  if (typeof value === 'string') return 'numeric-string';
  if (typeof value !== 'number') return null;
  return Number.isInteger(value) ? 'integer' : 'fraction';
}

function headersOf(exchanges: readonly Exchange[], refusals: readonly Exchange[]): string {
  const carries = (pattern: RegExp) => (exchange: Exchange) =>
    responseOf(exchange)?.headers.some(([name]) => pattern.test(name)) ?? false;
  const retryAfter = refusals.some(carries(/^retry-after$/i));
  const others = exchanges.some(carries(/^(x-)?rate-?limit/i));
  if (retryAfter && others) return 'both';
  if (retryAfter) return 'retry-after';
  return others ? 'rate-limit-headers' : 'none';
}

/** Whether refused requests count, if the timeline shows it. */
export function observeCounting(
  t: CheckContext,
  { models }: limits.Identification,
  decisions: readonly limits.Decision[],
  evidence: Exchange | undefined,
): void {
  const fits = (id: limits.ModelId) => models.find((model) => model.id === id)?.fits === true;
  const [without, counting] = [fits('rolling-log'), fits('rolling-log-counting-refused')];
  if (without === counting || !decisions.some(({ ruling }) => ruling === 'refused')) return;
  t.observe('SHR-OPN-002', counting ? 'counted' : 'not-counted', evidence);
}
