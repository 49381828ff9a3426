import { parseArgs } from 'node:util';
import { startServer } from '../processes.ts';
import type { Ratio } from '../ratios.ts';
import { isKept, renderTable } from '../table.ts';
import { openLoad, saturation, workers } from './ratios.ts';

// `npm run bench:load`: what a load reaches beside bare tools, against one static server. Exit code 1 when a bound is broken.

const { quick, only } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
}).values;
const sizes = quick ? { rounds: 1, seconds: 1 } : { rounds: 3, seconds: 4 };
const parts = { open: openLoad, saturation, workers };

const server = await startServer();
try {
  const ratios: Ratio[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (only !== undefined && only !== name) continue;
    const ratio = await part(server.url, sizes);
    if (ratio) ratios.push(ratio);
  }
  process.stdout.write(renderTable(ratios, !quick));
  if (quick) process.stdout.write('Quick: too short to hold the figures to their bounds.\n');
  else if (!ratios.every(isKept)) process.exitCode = 1;
} finally {
  server.stop();
}
