import { writeFileSync } from 'node:fs';

// Loaded with `--import`: writes the CPU time of a whole process, in microseconds, to the file that GATECHECK_BENCH_CPU names.
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const file = process.env.GATECHECK_BENCH_CPU;
  if (file !== undefined) writeFileSync(file, String(user + system));
});
