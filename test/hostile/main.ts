import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { inOwnTempFolder } from '../support/ownTempFolder.ts';
import { renderPage } from './page.ts';
import { parts, type Measured, type Part } from './parts.ts';

// `npm run hostile`: every server of the table, bad networks, fuzzed answers and kills, with the figures of
// docs/robustness.md. `npm run hostile -- kills` measures one part anew, `-- page` none; the page is made of what was measured last, each
// part with its day.

const page = join(import.meta.dirname, '../../docs/robustness.md');
const kept = join(import.meta.dirname, 'figures');
const names = Object.keys(parts) as Part[];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => name !== 'page' && !names.includes(name as Part));
if (unknown.length > 0) {
  console.error(`expected ${names.join(', ')} or page; got ${unknown.join(', ')}`);
  process.exit(2);
}

mkdirSync(kept, { recursive: true });
let faults = 0;
await inOwnTempFolder(async () => {
  for (const name of names.filter((one) => wanted.length === 0 || wanted.includes(one))) {
    const measuredOn = new Date().toISOString().slice(0, 10);
    const measured = await parts[name]();
    const figures = { measuredOn, loadAverage: Math.round(loadavg()[2] ?? 0), ...measured };
    writeFileSync(fileOf(name), JSON.stringify(figures));
    for (const fault of figures.faults) console.error(`${name}: ${fault}`);
    console.log(`${name}: ${figures.tried} tried, ${figures.faults.length} not survived`);
    faults += figures.faults.length;
  }
});
const measured = names.filter((name) => existsSync(fileOf(name)));
const figures = Object.fromEntries(
  measured.map((name) => [name, JSON.parse(readFileSync(fileOf(name), 'utf8'))]),
) as Partial<Measured>;
const options = (await resolveConfig(page)) ?? {};
writeFileSync(page, await format(renderPage(figures), { ...options, filepath: page }));
process.exitCode = faults > 0 ? 1 : 0;

function fileOf(name: Part): string {
  return join(kept, `${name}.json`);
}
