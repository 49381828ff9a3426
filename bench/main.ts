import './ownTempFolder.ts';
import { parseArgs } from 'node:util';
import { loadRatios } from './load/ratios.ts';
import { measureInProcess, startServer } from './processes.ts';
import { memoryGrowth, relativeCpu, type Measure, type Sizes } from './ratios.ts';
import { sinkMemory, sinkThroughput, type SinkSizes } from './sink/ratios.ts';
import { isKept, renderTable } from './table.ts';

// `npm run bench`: what the engine costs over bare undici, and what a load reaches beside bare tools, against one static
// server; and the sink beside a server that only answers. Exit code 1 when a bound is broken.

const { quick, accepted } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, accepted: { type: 'boolean', default: false } },
}).values;
const mix = accepted ? 'accepted' : 'mixed';
const sinkSizes: SinkSizes = quick
  ? { rounds: 1, warmUp: 300, callbacks: 600, few: 600, many: 1800 }
  : { rounds: 5, warmUp: 30_000, callbacks: 40_000, few: 20_000, many: 100_000 };
const sizes: Sizes = quick
  ? { rounds: 2, warmUp: 300, exchanges: 600, few: 600, many: 1800 }
  : { rounds: 5, warmUp: 8000, exchanges: 16_000, few: 20_000, many: 200_000 };
const loadSizes = quick ? { rounds: 1, seconds: 1 } : { rounds: 3, seconds: 4 };

const server = await startServer();
try {
  const measure: Measure = (task) => measureInProcess(server.url, task);
  const ratios = [
    await relativeCpu(measure, mix, sizes),
    await memoryGrowth(measure, mix, sizes),
    ...(await loadRatios(server.url, loadSizes)),
    await sinkThroughput(sinkSizes),
    await sinkMemory(sinkSizes),
  ];
  process.stdout.write(renderTable(ratios, !quick));
  // So few exchanges run mostly uncompiled code: they show that the benchmark works, and nothing else.
  if (quick) process.stdout.write('Quick: too short to hold the figures to their bounds.\n');
  else if (!ratios.every(isKept)) process.exitCode = 1;
} finally {
  server.stop();
}
