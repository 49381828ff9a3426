import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser, whyNoBrowser } from './chromium.ts';
import { reportKinds, writeSampleReport } from './sampleReports.ts';

// Makes the pictures of docs/reports.md: `node test/support/pictures.ts`. They show sample reports, the same each time.

const folder = join(import.meta.dirname, '../../docs/images');

/** What is shown of each: an address within the page, the width, and the color scheme. */
const views = {
  failing: [
    { name: 'first', hash: '' },
    { name: 'finding', hash: '#finding-WCI-SUB-007.3c83f93c' },
    { name: 'callback', hash: '#finding-FLA-CB-006.11111111', colorScheme: 'dark' as const },
    { name: 'narrow', hash: '#finding-WCI-SUB-007.3c83f93c', width: 390 },
  ],
  limits: [{ name: 'first', hash: '#limits' }],
  load: [{ name: 'first', hash: '' }],
  hostile: [{ name: 'first', hash: '' }],
} satisfies Record<string, readonly { name: string; hash: string; width?: number; colorScheme?: 'dark' }[]>;

if (whyNoBrowser !== null) console.log(whyNoBrowser);
else await takeAll();

async function takeAll(): Promise<void> {
  const reports = await mkdtemp(join(tmpdir(), 'gatecheck-pictures-'));
  const browser = await openBrowser();
  await mkdir(folder, { recursive: true });
  try {
    for (const kind of reportKinds) {
      const address = pathToFileURL(await writeSampleReport(kind, join(reports, kind))).href;
      for (const { name, hash, ...look } of views[kind]) {
        const { width, colorScheme } = { width: 1280, colorScheme: 'light' as const, ...look };
        const page = await browser.newPage({
          viewport: { width, height: 900 },
          colorScheme,
          reducedMotion: 'reduce',
        });
        await page.goto(`${address}${hash}`);
        await page.screenshot({ path: join(folder, `report-${kind}-${name}.png`) });
        await page.close();
      }
    }
  } finally {
    await browser.close();
    await rm(reports, { recursive: true, force: true });
  }
}
