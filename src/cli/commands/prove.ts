import { resolve } from 'node:path';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import type { ExitCode } from '../../core/errors.ts';
import { readSuites } from '../../engine/session/suites.ts';
import { validateSelection } from '../../plan/selection.ts';
import { problemsError } from '../../settings/problem.ts';
import { proofOf, proofTable, refuseIdleSetUp } from '../../run/prove/proofSettings.ts';
import { wireProofOf } from '../../run/prove/wire/wireSettings.ts';
import { command, settingsOf, type Call } from '../command.ts';
import { readCheckedSettings } from '../readSettings.ts';

/** `prove`: judges the reference in every dialect and with every defect, and prints the kill matrix. */
export const proveCommand = command({
  name: 'prove',
  about: 'run the checks against every dialect and every seeded defect of the reference',
  settings: settingsOf(
    ...[
      'target',
      'config',
      'stateHandler.url',
      'sink.listen',
      'sink.publicUrl',
      'sink.certFile',
      'sink.keyFile',
    ],
    ...['budgets.maxQuota', 'budgets.maxSubscriptions', 'budgets.maxDurationMs'],
  ),
  options: proofTable,
  examples: [
    'gatecheck prove',
    "gatecheck prove --defect 'flight-*'",
    'gatecheck prove --row WCI-SUB-069 --row WCI-SUB-076',
    'gatecheck prove --no-defects --random 5',
    "gatecheck prove --wire --variation '*-lag'",
    'gatecheck prove --explore --requests 60,300',
    'gatecheck prove --wire --target http://127.0.0.1:8080 --max-requests 200 --max-duration 15m',
  ],
  run: async (call) => {
    const { io, options } = call;
    const { only } = options;
    validateSelection({ only, require: [], openPoints: {} }, loadCatalogue(), await readSuites());
    refuseIdleSetUp(options, call.flags.given.target !== undefined);
    const dir = options.reportDir ?? resolve(io.folder, 'reports', 'prove');
    if (call.flags.given.target !== undefined) return proveInFront(call, dir);
    if (options.wire) {
      const { proveWire } = await import('../../run/prove/wire/proveWire.ts');
      return proveWire(wireProofOf(options), dir, io);
    }
    const settings = proofOf(options);
    if (options.explore) {
      const { proveExplore } = await import('../../run/prove/explore/proveExplore.ts');
      return proveExplore(settings, options.requests, { dir, io });
    }
    const { prove } = await import('../../run/prove/prove.ts');
    return prove(settings, dir, io);
  },
});

async function proveInFront(call: Call<typeof proofTable>, dir: string): Promise<ExitCode> {
  const { io, options } = call;
  const { apis, only, profile, seed, maxRequests } = options;
  if (!options.wire)
    throw problemsError([{ where: '--target', fault: 'expected it together with --wire; got it alone' }]);
  const settings = await readCheckedSettings(call);
  const { proveTarget } = await import('../../run/prove/wire/onTarget/proveTarget.ts');
  const own = {
    ...{ only, profile, seed },
    apis: settings.apis.filter((api) => apis.includes(api)),
    budgets: { ...settings.budgets, ...(maxRequests === null ? {} : { maxRequests }) },
  };
  return proveTarget(wireProofOf(options), { ...settings, ...own }, { dir, io });
}
