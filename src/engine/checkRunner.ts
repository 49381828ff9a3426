import { deriveSeed } from '../core/random.ts';
import type { PlannedCheck } from '../plan/plan.ts';
import type { OutcomeSources } from './activeOutcome.ts';
import { attempt, type AttemptOptions, type AttemptResult, type ContextBase } from './attempt.ts';
import type { StoredCase } from './finding.ts';
import type { OpenRun } from './openRun.ts';
import type { CheckOutcome } from './outcome.ts';
import { runCheck } from './runCheck.ts';
import type { EngineCheck } from './suite.ts';
import type { Traffic } from './traffic.ts';

export interface CheckRunnerOptions {
  readonly run: OpenRun;
  readonly traffic: Traffic;
  readonly sources: OutcomeSources;
  /** What all checks share. */
  readonly base: ContextBase;
  /** Where each check stands in the plan. */
  readonly places: ReadonlyMap<string, number>;
}

type Planned = PlannedCheck<EngineCheck>;

/** Requests that shrinking one failure may cost, and the share of what is left that it may take from other checks. */
const shrinkBudget = { most: 60, share: 0.25 };

/** Runs one check of a session at a time: for its verdict, for its traffic alone, or to have a stored case again. */
export class CheckRunner {
  readonly #options: CheckRunnerOptions;

  constructor(options: CheckRunnerOptions) {
    this.#options = options;
  }

  run(planned: Planned): Promise<CheckOutcome> {
    const { sources } = this.#options;
    const onBudget = (reason: string) => this.#noteBudget(reason);
    return runCheck({ ...this.#attemptOptions(planned), sources, onBudget });
  }

  /** Runs a check for its traffic alone: nobody asked what it says. */
  async carry(planned: Planned): Promise<void> {
    const { cutShort } = await attempt({ ...this.#attemptOptions(planned), shrinkBudget: () => 0 });
    if (cutShort?.by === 'budget') this.#noteBudget(cutShort.reason);
  }

  /** Runs one stored case again, or the whole check for what an oracle had seen. */
  replay(planned: Planned, { whole, caseName: name, seed, path }: StoredCase): Promise<AttemptResult> {
    return attempt({ ...this.#attemptOptions(planned), ...(whole ? {} : { replay: { name, seed, path } }) });
  }

  #noteBudget(reason: string): void {
    this.#options.traffic.ending.note('budget', reason);
  }

  #attemptOptions({ check, cases }: Planned): AttemptOptions {
    const { run, traffic, base, places } = this.#options;
    const { client, allowance, ending } = traffic;
    return {
      check,
      cases,
      // Keys in another order for each check, so that those that need one in particular do not all need the first.
      base: { ...base, keys: run.target.keys.rotated(places.get(check.id) ?? 0) },
      send: (request) => client.send(request, check.id),
      burst: (requests) => client.burst(requests, check.id),
      seed: deriveSeed(run.settings.seed, check.id),
      shrinkBudget: () =>
        Math.min(shrinkBudget.most, Math.floor(allowance.requestsLeft * shrinkBudget.share)),
      signal: ending.signal,
    };
  }
}
