import type { ApiRequest } from '../../send/request.ts';
import { activeOutcome, type OutcomeSources, type CheckOutcome } from '../findings/outcome.ts';
import { attempt, type AttemptOptions } from './attempt.ts';
import type { FailedCase, UnclearCase } from './attemptResult.ts';
import { confirm } from './confirm.ts';
import { isCutOff, type CutOff } from './cutOff.ts';
import { isDisturbance } from '../health/signs.ts';
import { NoRoom } from './signals.ts';

interface RunCheckOptions extends Omit<AttemptOptions, 'only'> {
  readonly sources: OutcomeSources;
  /** Called if a hard budget kept the check from doing what the plan says. */
  readonly onBudget: (reason: string) => void;
  /** Called with a request that was cut off, and its like in the second attempt, if that was, too; whether a finding explains it. */
  readonly onCutOff: (first: CutOff, again: CutOff | null) => Promise<boolean>;
  /** Whether a finding says that such requests are cut off each time. */
  readonly isCutOff: (request: ApiRequest) => boolean;
  /** Whether such a finding explains why a case is unclear. */
  readonly explains: (unclear: UnclearCase) => boolean;
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
  /** The last request to each operation that was cut off in the attempt under way. */
  let cut = new Map<string | null, CutOff>();
  const send: AttemptOptions['send'] = async (request) => {
    const exchange = await options.send(request).catch((error: unknown) => {
      if (error instanceof NoRoom) options.onNoRoom();
      throw error;
    });
    if (isCutOff(exchange) && options.isCutOff(request)) return exchange;
    seen.disturbance ||= isDisturbance(exchange, request.wantsRefusal);
    if (isCutOff(exchange)) cut.set(request.operation, { request, exchange });
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
    const before = cut;
    cut = new Map();
    result = await run();
    const isProved = result.unclear.length > 0 && (await explained(before, cut, options.onCutOff));
    // What does not depend on that answer can be judged now.
    if (isProved) result = await run();
  }
  const confirmations = await confirm(result, { run, isOneThing: check.isOneThing });
  const { explains } = options;
  return activeOutcome({ check, seed, cases, result, confirmations, requests, explains }, sources);
}

/** Whether a finding explains what was cut off in the first attempt, and possibly in the second one as well. */
async function explained(
  before: ReadonlyMap<string | null, CutOff>,
  after: ReadonlyMap<string | null, CutOff>,
  onCutOff: RunCheckOptions['onCutOff'],
): Promise<boolean> {
  for (const [operation, first] of before)
    if (await onCutOff(first, after.get(operation) ?? null)) return true;
  return false;
}
