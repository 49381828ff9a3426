import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { matches } from '../../../../catalogue/pattern.ts';
import { systemClock } from '../../../../core/clock.ts';
import { exitCodes, usageError, type ExitCode } from '../../../../core/errors.ts';
import { abortOnInterrupt } from '../../../../core/interrupt.ts';
import type { Io } from '../../../../core/io.ts';
import { createRandom, deriveSeed } from '../../../../core/random.ts';
import type { Settings } from '../../../../core/settings.ts';
import { loadSuites } from '../../../../engine/suites.ts';
import { ownershipOf } from '../../../../plan/budgets.ts';
import { writeText } from '../../../../report/writeWhole.ts';
import { variations, wireOf, type Variation } from '../../../../wire/variations.ts';
import { shuffled } from '../../../../wire/variations/jsonText.ts';
import { memoryFolder } from '../../../memoryFolder.ts';
import { renderWireConsole, renderWireJson } from '../renderWire.ts';
import { renderWireHtml } from '../renderWireHtml.ts';
import { alarmed } from '../wireProof.ts';
import type { WireSettings } from '../wireSettings.ts';
import { TargetProof } from './targetProof.ts';

/** How long a proof takes by default. */
const usualMs = 15 * 60_000;

/**
 * Finds out what this set-up notices in front of somebody's deployment, and whether a variation raises an alarm there; ends when
 * the time is up, and reports how far it got.
 */
export async function proveTarget(
  wire: WireSettings,
  settings: Settings,
  { dir, io }: { readonly dir: string; readonly io: Io },
): Promise<ExitCode> {
  refuseForeign(settings);
  await mkdir(dir, { recursive: true });
  const ms = settings.budgets.maxDurationMs ?? usualMs;
  const { signal: interrupted, release } = abortOnInterrupt(io);
  const timer = new AbortController();
  const end = setTimeout(() => timer.abort(new Error('the time is over')), ms);
  const ports = {
    settings: { ...settings, fresh: true },
    // The checks of the limits fill windows, which takes more than minutes.
    checks: (await loadSuites()).filter(({ tags }) => !tags.includes('limits')),
    memory: memoryFolder(io.folder, io.env),
  };
  const proving = new TargetProof(ports, {
    wire,
    ms,
    variations: drawnVariations(wire),
    signal: AbortSignal.any([interrupted, timer.signal]),
    tell: (text) => io.stderr.write(`prove: ${text}\n`),
  });
  try {
    const proof = await proving.prove();
    await writeText(join(dir, 'wire.json'), io.redactor.redact(renderWireJson(proof)));
    await writeText(join(dir, 'wire.html'), io.redactor.redact(renderWireHtml(proof)));
    io.stdout.write(io.redactor.redact(renderWireConsole(proof, io.stdout.palette)));
    io.stdout.write(`\n  ${relative(io.folder, join(dir, 'wire.html'))}\n`);
    if (interrupted.aborted) return exitCodes.interrupted;
    if (alarmed(proof.variations).length > 0) return exitCodes.gateNotMet;
    return proving.hasJudged ? exitCodes.ok : exitCodes.inconclusive;
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
function drawnVariations({ variation: patterns, mutant, seed }: WireSettings): readonly Variation[] {
  const isSeen = (one: Variation) => {
    const { send, admit, set } = wireOf(one, seed, systemClock);
    return send !== undefined || admit !== undefined || set !== undefined;
  };
  const able = variations.filter(isSeen);
  if (patterns.length > 0) return able.filter(({ id }) => patterns.some((pattern) => matches(pattern, id)));
  if (mutant.length > 0) return [];
  return shuffled(able, createRandom(deriveSeed(seed, 'variations')));
}
