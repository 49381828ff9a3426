import { answered, ok } from '../../src/judge/kernel/answer.ts';
import type { Exchange } from '../../src/core/evidence.ts';
import { exchange } from './judge/exchanges.ts';
import { BudgetExhausted } from '../../src/send/allowance.ts';
import { list, type ApiRequest } from '../../src/send/request.ts';
import type { AttemptOptions } from '../../src/engine/attempt/attempt.ts';
import type { ContextBase } from '../../src/engine/attempt/context.ts';
import type { CheckContext } from '../../src/engine/attempt/context.ts';
import type { Fixtures } from '../../src/engine/fixtures/fixtures.ts';
import { Dialect } from '../../src/engine/observe/dialect.ts';
import { fixed, property, type EngineCheck } from '../../src/engine/suite.ts';

/** A request that a test sends where it does not matter which. */
export const anyRequest: ApiRequest = list();

/** An answer: a status, or no response at all. */
export type Said = number | 'lost';

function exchangeOf(said: Said): Exchange {
  return said === 'lost'
    ? exchange({ operation: 'wci.list', lost: true })
    : exchange({ operation: 'wci.list', status: said, body: { said } });
}

/** A check that verifies WCI-LST-001, WCI-LST-002 and WCI-OPN-001 by what `run` does. */
export function checkOf(
  run: (t: CheckContext) => Promise<void>,
  given: Partial<EngineCheck> = {},
): EngineCheck {
  const definition = {
    id: 'wci.test',
    title: 'a title',
    verifies: ['WCI-LST-001', 'WCI-LST-002', 'WCI-OPN-001'],
    run,
  };
  const check = given.kind === 'property' ? property(definition) : fixed(definition);
  return { ...check, ...given };
}

/** Does something that takes no time, where a promise is asked for. */
export async function done(act: () => void): Promise<void> {
  await Promise.resolve();
  act();
}

export interface AttemptSketch extends Partial<AttemptOptions> {
  /** What comes back, request by request; the last one for all that follow. */
  readonly answers?: readonly Said[];
  /** Requests after which the budget is used up. */
  readonly budget?: number;
}

/** Options of an attempt at a check, without a server: answers come from a list. */
export function attemptOptions(
  check: EngineCheck,
  sketch: AttemptSketch = {},
): AttemptOptions & { sent: () => number } {
  const { answers = [200], budget = Number.POSITIVE_INFINITY, ...rest } = sketch;
  let sent = 0;
  const send = () => {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (sent >= budget) return Promise.reject(new BudgetExhausted('requests', budget));
    sent += 1;
    return Promise.resolve(exchangeOf(answers[Math.min(sent, answers.length) - 1] ?? 200));
  };
  const signal = rest.signal ?? new AbortController().signal;
  return {
    check,
    base: { dialect: new Dialect() } as unknown as ContextBase,
    fixtures: () => ({}) as Fixtures,
    send,
    burst: (requests) => Promise.all(requests.map(send)),
    seed: 1,
    cases: 10,
    isMust: () => true,
    shrinkBudget: () => 50,
    signal,
    ...rest,
    sent: () => sent,
  };
}

/** Sends one request, and requires a 200. */
export const wantsOk = checkOf(
  async (t) => {
    const one = await t.send(anyRequest);
    t.judge(one, { 'WCI-LST-001': answered(one, ok) });
  },
  { verifies: ['WCI-LST-001'] },
);
