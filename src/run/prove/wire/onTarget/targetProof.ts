import { matches } from '../../../../catalogue/pattern.ts';
import { createRandom, deriveSeed } from '../../../../core/random.ts';
import { isJudged } from '../../../../judge/kernel/verdict.ts';
import { sampleMutants, type TabledMutant } from '../../../../wire/mutants/table.ts';
import type { Template } from '../../../../wire/templates.ts';
import type { KnownKeys } from '../../../../wire/keys.ts';
import { Setup } from '../../../../wire/stage.ts';
import type { Variation } from '../../../../wire/variations.ts';
import { shuffled } from '../../../../wire/variations/jsonText.ts';
import type { Judged } from '../../judgeOpen.ts';
import { loadAccepted } from '../accepted.ts';
import { outcomesOf } from '../outcomes.ts';
import { isOpen, Trial, undecidedMutant, type Deployment, type MutantResult } from '../trial.ts';
import type { VariationResult } from '../variationJob.ts';
import type { WireProof } from '../wireProof.ts';
import type { WireSettings } from '../wireSettings.ts';
import { judgeTarget, type TargetPorts } from './judgeTarget.ts';
import { isWhole, setupLines } from './setupLines.ts';
import { TargetRecorder } from './targetRecorder.ts';
import { isOver, varyTarget } from './variationOnTarget.ts';

interface TargetProofOptions {
  readonly wire: WireSettings;
  /** How long the whole proof may take. */
  readonly ms: number;
  readonly variations: readonly Variation[];
  /** Aborts when the time is up, or by the user. */
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
}

/** Default number of mutants to try; the time may end before. */
const usualSample = 60;
/** Number of checks that a mutant is tried with first: the cheapest of those that meet it. */
const firstChecks = 3;

/** One unchanged run, then runs behind variations for part of the time, and runs behind mutants for the rest. */
export class TargetProof {
  readonly #ports: TargetPorts;
  readonly #options: TargetProofOptions;
  readonly #recorder = new TargetRecorder();
  readonly #started = performance.now();
  #templates: readonly Template[] = [];
  #requests = 0;
  #hasJudged = false;

  constructor(ports: TargetPorts, options: TargetProofOptions) {
    this.#ports = ports;
    this.#options = options;
  }

  /** Whether the unchanged target was judged at all. */
  get hasJudged(): boolean {
    return this.#hasJudged;
  }

  async prove(): Promise<WireProof> {
    const { wire, tell } = this.#options;
    const plain = await this.#plain();
    const asksForAll = wire.variation.length === 0 && wire.mutant.length === 0;
    const isVaried = this.#hasJudged && (asksForAll || wire.variation.length > 0);
    const vary = isVaried ? await this.#vary(plain, asksForAll ? 0.4 : 1) : [];
    const isMutated = this.#hasJudged && (asksForAll || wire.mutant.length > 0);
    const table = isMutated ? this.#drawn() : [];
    const results = await this.#mutate(table, plain);
    const mutants = table.map(({ mutant }) => mutant);
    tell(`${this.#requests} requests in ${Math.round(this.#spentMs / 1000)} s`);
    const counts = {
      ...{ variations: vary.length, ofVariations: isVaried ? this.#options.variations.length : 0 },
      ...{ mutants: results.length, ofMutants: table.length, requests: this.#requests, ms: this.#spentMs },
    };
    return {
      variations: vary,
      mutants: outcomesOf(mutants, results, loadAccepted()),
      ...{ stale: [], least: 0 },
      onTarget: setupLines(this.#ports.settings, plain, counts),
    };
  }

  get #spentMs(): number {
    return performance.now() - this.#started;
  }

  async #plain(): Promise<Judged> {
    const { wire, signal, tell } = this.#options;
    const stages: Setup[] = [];
    const judged = await judgeTarget(this.#ports, {
      ...{ seed: wire.seed, signal, onExchange: this.#recorder.onExchange },
      wire: (clock) => {
        const stage = new Setup({ clock, known: this.#known });
        stages.push(stage);
        return stage.wire(this.#recorder.deliveriesOf(stage), this.#recorder.observer);
      },
    });
    this.#requests += judged.requests;
    this.#templates = stages.flatMap((stage) => stage.templates.requests);
    const musts = [...judged.verdicts].filter(([{ level }]) => level === 'must');
    const known = musts.filter(([, { status }]) => isJudged(status)).length;
    // A run that a budget ended is the best that this set-up can do; one that lost its target or its key says nothing.
    this.#hasJudged = known > 0 && isWhole(judged);
    tell(`the target as it is: ${known} of ${musts.length} musts judged by ${judged.requests} requests`);
    if (!this.#hasJudged) tell(`nothing was changed, since ${judged.endReason}`);
    return judged;
  }

  get #known(): KnownKeys {
    const { primary, other, ...special } = this.#ports.settings.keys;
    return { primary, other, special: Object.values(special).filter((key) => typeof key === 'string') };
  }

  async #vary(plain: Judged, share: number): Promise<readonly VariationResult[]> {
    const { wire, ms, variations, signal, tell } = this.#options;
    const results: VariationResult[] = [];
    const phase = new AbortController();
    const timer = setTimeout(
      () => phase.abort(new Error('the time of variations is over')),
      share * ms - this.#spentMs,
    );
    for (const variation of variations) {
      const ends = AbortSignal.any([signal, phase.signal]);
      if (ends.aborted) break;
      const seed = deriveSeed(wire.seed, `target/${variation.id}`);
      const result = await varyTarget({ ports: this.#ports, variation, seed, plain, signal: ends });
      if (!result) break;
      this.#requests += result.requests;
      results.push(result);
      tell(`variation ${variation.id}: ${result.alarms.length === 0 ? 'no alarm' : 'ALARM'}`);
    }
    clearTimeout(timer);
    return results;
  }

  #drawn(): readonly TabledMutant[] {
    const { seed, mutant: patterns, sample } = this.#options.wire;
    const table = this.#recorder.table(this.#ports.checks, seed);
    const chosen = table.filter(
      ({ mutant }) => patterns.length === 0 || patterns.some((pattern) => matches(pattern, mutant.id)),
    );
    if (chosen.length === 0)
      this.#options.tell(
        `nothing was met that a mutant${patterns.length === 0 ? '' : ` like ${patterns.join(', ')}`} could change`,
      );
    // The time may end early: what is tried until then should cover all kinds.
    return shuffled(
      sampleMutants(chosen, sample ?? usualSample, seed),
      createRandom(deriveSeed(seed, 'mutants')),
    );
  }

  async #mutate(table: readonly TabledMutant[], plain: Judged): Promise<readonly MutantResult[]> {
    const { signal, tell } = this.#options;
    const results: MutantResult[] = [];
    for (const [index, one] of table.entries()) {
      if (isOver(signal)) break;
      const result = await this.#try(one, plain);
      // If the time ended in the middle, the result says nothing about the mutant.
      if (isOver(signal) && result.status !== 'noticed') break;
      results.push(result);
      const row = result.rows[0] === undefined ? '' : ` by ${result.rows[0]}`;
      tell(`mutant ${index + 1} of ${table.length}, ${one.mutant.id}: ${result.status}${row}`);
    }
    return results;
  }

  /** With the cheapest checks that meet it, and if they miss it, with all that do. */
  async #try({ mutant, checks }: TabledMutant, plain: Judged): Promise<MutantResult> {
    const byCost = checks.toSorted((one, other) => this.#costOf(one) - this.#costOf(other));
    const cheapest = byCost.slice(0, firstChecks);
    const trial = () => new Trial(mutant, this.#deployment(mutant.id, plain));
    try {
      const first = await trial().judge(cheapest);
      const isDone = !isOpen(first) && first.status !== 'idle';
      if (isDone || cheapest.length === checks.length || this.#options.signal.aborted) return first;
      return await trial().judge(checks);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { ...undecidedMutant(mutant, 'fault'), reason };
    }
  }

  #costOf(check: string): number {
    return this.#recorder.requestsOf(check);
  }

  #deployment(name: string, plain: Judged): Deployment {
    const ignored = [...plain.verdicts].filter(([, { status }]) =>
      ['fail', 'warn', 'inconclusive'].includes(status),
    );
    return {
      checks: this.#ports.checks,
      ignored: new Set(ignored.map(([{ id }]) => id)),
      stageAt: (clock) => new Setup({ clock, known: this.#known, templates: this.#templates }),
      judge: async ({ signal, listener, ...options }) => {
        const judged = await judgeTarget(this.#ports, {
          ...options,
          seed: deriveSeed(this.#options.wire.seed, `target/${name}/${this.#requests}`),
          signal: AbortSignal.any([signal, this.#options.signal]),
          // How callbacks arrive and which strays came was reported for the unchanged target.
          listener: (event) => {
            if (event.name !== 'notice') listener?.(event);
          },
        });
        this.#requests += judged.requests;
        return judged;
      },
    };
  }
}
