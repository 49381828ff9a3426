import { activeOutcome, type OutcomeSources } from './activeOutcome.ts';
import { attempt, type AttemptOptions } from './attempt.ts';
import type { FailedCase } from './attemptResult.ts';
import { confirm } from './confirm.ts';
import { isDisturbance } from './disturbance.ts';
import type { CheckOutcome } from './outcome.ts';
import { NoRoom } from './signals.ts';

interface RunCheckOptions extends Omit<AttemptOptions, 'only'> {
  readonly sources: OutcomeSources;
  /** Called if a hard budget kept the check from doing what the plan says. */
  readonly onBudget: (reason: string) => void;
  /** Called if a request was not sent since it would have waited too long for room. */
  readonly onNoRoom: () => void;
  /** Waits as long as a disturbance may last, such as the restart of an instance. */
  readonly recover: () => Promise<void>;
}

/**
 * Runs one active check: once, again if the network or a gateway disturbed it, and again with fresh data for every failure, so
 * that what does not recur is not reported.
 */
export async function runCheck(options: RunCheckOptions): Promise<CheckOutcome> {
  const { check, seed, cases, sources, onBudget } = options;
  let requests = 0;
  const seen = { disturbance: false };
  const send: AttemptOptions['send'] = async (request) => {
    const exchange = await options.send(request).catch((error: unknown) => {
      if (error instanceof NoRoom) options.onNoRoom();
      throw error;
    });
    seen.disturbance ||= isDisturbance(exchange, request.wantsRefusal);
    return exchange;
  };
  const burst: AttemptOptions['burst'] = async (requests) => {
    const exchanges = await options.burst(requests);
    seen.disturbance ||= exchanges.some((exchange) => isDisturbance(exchange, true));
    return exchanges;
  };
  const run = async (only?: readonly FailedCase[]) => {
    const result = await attempt({ ...options, send, burst, ...(only === undefined ? {} : { only }) });
    requests += result.requests;
    if (result.cutShort?.by === 'budget') onBudget(result.cutShort.reason);
    return result;
  };
  let result = await run();
  const isUnclear = result.unclear.length > 0 && result.failed.length === 0;
  if (seen.disturbance && isUnclear && result.cutShort === null) {
    await options.recover();
    result = await run();
  }
  const confirmations = await confirm(result, { run, isOneThing: check.isOneThing });
  return activeOutcome({ check, seed, cases, result, confirmations, requests }, sources);
}
