import type { Exchange } from '../../core/evidence.ts';
import type { WindowLimit } from '../../core/windowLimit.ts';
import { responseOf } from '../kernel/body.ts';
import { type Judgement, type Violated, differs } from '../kernel/judgement.ts';
import type { Decision } from './decision.ts';
import * as is from '../../spec/kernel/value.ts';
import { identify } from './identify.ts';

/**
 * The fault of a limiter that refuses with a status other than 429, as many proxies do by default: no request was answered 429,
 * and the documented limiter explains the timeline, or its first window, if that one status is its refusal. Null otherwise, for
 * example if a deployment just failed now and then.
 */
export function refusedOtherwise(
  decisions: readonly Decision[],
  exchanges: readonly Exchange[],
  window: WindowLimit,
): Judgement | null {
  const statuses = new Map(exchanges.map((exchange) => [exchange.id, responseOf(exchange)?.status ?? 0]));
  return refusedWith(decisions, statuses, window);
}

/** The same, by the status of each answer. */
export function refusedWith(
  decisions: readonly Decision[],
  statuses: ReadonlyMap<string, number>,
  window: WindowLimit,
): Violated | null {
  if (decisions.some(({ ruling }) => ruling === 'refused')) return null;
  const unknown = decisions.filter(({ ruling }) => ruling === 'unknown');
  const [status = 0, ...more] = new Set(unknown.map(({ id }) => statuses.get(id) ?? 0));
  if (status < 400 || more.length > 0) return null;
  const read = decisions.map((one): Decision =>
    unknown.includes(one) ? { ...one, ruling: 'refused' } : one,
  );
  return [read, openingOf(read, window)].some((part) => isDocumentedAndFull(part, window))
    ? differs(
        'refused-otherwise',
        'answer',
        is.noted(
          { kind: 'answer', status: 429 },
          `beyond ${window.limit} requests of a key in ${window.windowMs / 1000} s`,
        ),
        { kind: 'answer', status },
      )
    : null;
}

/** All that a limiter shows that is broken for good once it was full. */
function openingOf(decisions: readonly Decision[], { windowMs }: WindowLimit): readonly Decision[] {
  const start = Math.min(...decisions.map(({ sent }) => sent));
  return decisions.filter(({ received }) => received < start + windowMs);
}

function isDocumentedAndFull(decisions: readonly Decision[], window: WindowLimit): boolean {
  const { isDocumented, models } = identify(decisions, window);
  // Only a refusal after the limit was reached comes from the limit and not from something else.
  return (
    isDocumented && models.some(({ id, bounds }) => id === 'rolling-log' && bounds.least >= window.limit)
  );
}
