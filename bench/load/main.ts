import { startServer } from '../processes.ts';
import { isKept, renderTable } from '../table.ts';
import { loadRatios } from './ratios.ts';

// `node bench/load/main.ts`: only that part of the benchmark that is about loads. Exit code 1 when a bound is broken.

const quick = process.argv.includes('--quick');
const server = await startServer();
try {
  const ratios = await loadRatios(server.url, quick ? { rounds: 1, seconds: 1 } : { rounds: 3, seconds: 4 });
  process.stdout.write(renderTable(ratios, !quick));
  if (quick) process.stdout.write('Quick: too short to hold the figures to their bounds.\n');
  else if (!ratios.every(isKept)) process.exitCode = 1;
} finally {
  server.stop();
}
