import { resolve } from 'node:path';
import { proofOf, proofTable } from '../../run/prove/proofSettings.ts';
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
  ],
  run: async ({ io, options }) => {
    const settings = proofOf(options);
    const { prove } = await import('../../run/prove/prove.ts');
    return prove(settings, options.reportDir ?? resolve(io.folder, 'reports', 'prove'), io);
  },
});
