import { hostileRows } from './rows.ts';
import { runRow } from './runRow.ts';

// `node --expose-gc test/hostile/alone.ts GROUP NAME`: one row in a process of its own, which prints the most that it held, in MiB, and what is wrong.

const [group, name] = process.argv.slice(2);
const row = hostileRows.find((one) => one.group === group && one.name === name);
if (!row) throw new Error(`no hostile server ${group}: ${name}`);
const { faults } = await runRow(row);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${Math.round(process.resourceUsage().maxRSS / 1024)}\n`);
