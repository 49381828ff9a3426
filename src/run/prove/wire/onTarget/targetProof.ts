import { deriveSeed } from '../../../../core/random.ts';
import { isJudged } from '../../../../judge/kernel/verdict.ts';
import type { Variation } from '../../../../wire/variations.ts';
import type { Judged } from '../../judgeOpen.ts';
import type { VariationResult } from '../variationJob.ts';
import type { WireProof } from '../wireProof.ts';
import { judgeTarget, type TargetPorts } from './judgeTarget.ts';
import { isWhole, setupLines } from './setupLines.ts';
import { varyTarget } from './variationOnTarget.ts';

interface TargetProofOptions {
  readonly ports: TargetPorts;
  readonly seed: number;
  readonly variations: readonly Variation[];
  /** Aborts when the time is up, or by the user. */
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
}

/** One unchanged run, then runs behind one variation after the other, until the time is up. */
export async function provedTarget(options: TargetProofOptions): Promise<WireProof> {
  const { ports, tell } = options;
  const started = performance.now();
  const plain = await unchanged(options);
  // A run that a budget ended is the best that this set-up can do; one that lost its target or its key says nothing.
  const isTried = judgedMusts(plain) > 0 && isWhole(plain);
  if (!isTried) tell(`nothing was changed, since ${plain.endReason}`);
  const variations = isTried ? await varied(plain, options) : [];
  const requests = variations.reduce((sum, one) => sum + one.requests, plain.requests);
  const ms = performance.now() - started;
  tell(`${requests} requests in ${Math.round(ms / 1000)} s`);
  const ofVariations = isTried ? options.variations.length : 0;
  const counts = { variations: variations.length, ofVariations, requests, ms };
  return { variations, onTarget: setupLines(ports.settings, plain, counts) };
}

async function unchanged({ ports, seed, signal, tell }: TargetProofOptions): Promise<Judged> {
  const judged = await judgeTarget(ports, { seed, signal });
  const musts = [...judged.verdicts].filter(([{ level }]) => level === 'must').length;
  tell(`the target as it is: ${judgedMusts(judged)} of ${musts} musts judged by ${judged.requests} requests`);
  return judged;
}

function judgedMusts({ verdicts }: Judged): number {
  return [...verdicts].filter(([{ level }, { status }]) => level === 'must' && isJudged(status)).length;
}

async function varied(
  plain: Judged,
  { ports, seed: own, variations, signal, tell }: TargetProofOptions,
): Promise<readonly VariationResult[]> {
  const results: VariationResult[] = [];
  for (const variation of variations) {
    if (signal.aborted) break;
    const seed = deriveSeed(own, `target/${variation.id}`);
    const result = await varyTarget({ ports, variation, seed, plain, signal });
    if (!result) break;
    results.push(result);
    tell(`variation ${variation.id}: ${result.alarms.length === 0 ? 'no alarm' : 'ALARM'}`);
  }
  return results;
}
