import { systemClock } from '../../../../core/clock.ts';
import { exitCodes, usageError, type ExitCode } from '../../../../core/errors.ts';
import { abortOnInterrupt } from '../../../../core/interrupt.ts';
import type { Io } from '../../../../core/io.ts';
import { createRandom, deriveSeed } from '../../../../core/random.ts';
import type { Settings } from '../../../../core/settings.ts';
import { readSuites } from '../../../../engine/session/suites.ts';
import { ownershipOf } from '../../../../plan/budgets.ts';
import { variations, wireOf, type Variation } from '../../../../wire/variations.ts';
import { shuffled } from '../../../../wire/variations/jsonText.ts';
import { memoryFolder } from '../../../memoryFolder.ts';
import { printWire, writeWire, alarmed, isChosen } from '../reportWire.ts';
import type { WireSettings } from '../wireSettings.ts';
import { provedTarget } from './targetProof.ts';

/** How long a proof takes by default. */
const usualMs = 15 * 60_000;

/**
 * Finds out whether a variation raises an alarm in front of somebody's deployment; ends when the time is up, and reports how far
 * it got.
 */
export async function proveTarget(
  wire: WireSettings,
  settings: Settings,
  { dir, io }: { readonly dir: string; readonly io: Io },
): Promise<ExitCode> {
  refuseForeign(settings);
  const ms = settings.budgets.maxDurationMs ?? usualMs;
  const { signal: interrupted, release } = abortOnInterrupt(io);
  const timer = new AbortController();
  const end = setTimeout(() => timer.abort(new Error('the time is over')), ms);
  const ports = {
    settings: { ...settings, fresh: true },
    // The checks of the limits fill windows, which takes more than minutes.
    checks: (await readSuites()).filter(({ tags }) => !tags.includes('limits')),
    memory: memoryFolder(io.folder, io.env),
  };
  try {
    const proof = await provedTarget({
      ...{ ports, seed: wire.seed, variations: drawnVariations(wire) },
      signal: AbortSignal.any([interrupted, timer.signal]),
      tell: (text) => io.stderr.write(`prove: ${text}\n`),
    });
    await writeWire(proof, dir, io);
    printWire(proof, dir, io);
    if (interrupted.aborted) return exitCodes.interrupted;
    if (alarmed(proof.variations).length > 0) return exitCodes.gateNotMet;
    return proof.variations.length > 0 ? exitCodes.ok : exitCodes.inconclusive;
  } finally {
    clearTimeout(end);
    release();
  }
}

function refuseForeign(settings: Settings): void {
  if (ownershipOf(settings) !== 'foreign') return;
  throw usageError(
    'NOT_DISPOSABLE',
    'expected a target on this machine for prove --wire; got one that is not local',
    'It makes records and subscriptions by the hundred: start a deployment that can be thrown away, or lead a local port to one.',
  );
}

/** The requested ones in order, or all in random order by the seed, without those about a clock, which is not ours. */
function drawnVariations({ variation: patterns, seed }: WireSettings): readonly Variation[] {
  const isSeen = (one: Variation) => {
    const { send, admit, set } = wireOf(one, seed, systemClock);
    return send !== undefined || admit !== undefined || set !== undefined;
  };
  const able = variations.filter((one) => isSeen(one) && isChosen(patterns, one.id));
  return patterns.length > 0 ? able : shuffled(able, createRandom(deriveSeed(seed, 'variations')));
}
