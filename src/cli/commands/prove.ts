import { resolve } from 'node:path';
import { proofOf, proofTable } from '../../run/prove/proofSettings.ts';
import { wireProofOf } from '../../run/prove/wire/wireSettings.ts';
import { command } from '../command.ts';

/** `prove`: judges the reference in every dialect and with every defect, and prints the kill matrix. */
export const proveCommand = command({
  name: 'prove',
  about: 'run the checks against every dialect and every seeded defect of the reference',
  options: proofTable,
  examples: [
    'gatecheck prove',
    "gatecheck prove --defect 'flight-*'",
    'gatecheck prove --no-defects --random 5',
    'gatecheck prove --wire --sample 300',
  ],
  run: async ({ io, options }) => {
    const dir = options.reportDir ?? resolve(io.folder, 'reports', 'prove');
    if (options.wire) {
      const { proveWire } = await import('../../run/prove/wire/proveWire.ts');
      return proveWire(wireProofOf(options), dir, io);
    }
    const settings = proofOf(options);
    const { prove } = await import('../../run/prove/prove.ts');
    return prove(settings, dir, io);
  },
});
