import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { sampleLoad } from '../../test/support/sampleLoad.ts';
import { sampleResult } from '../../test/support/sampleResult.ts';
import { openDashboard, type Dashboard } from './dashboard.ts';

const gate = { state: 'not-met', because: ['errors<1% (got 20%)'] } as const;
const result = sampleResult({
  load: sampleLoad(),
  summary: {
    ...sampleResult().summary,
    verdict: 'partial',
    exitCode: 1,
    gate: { ...gate, because: [...gate.because] },
  },
});

let open: Dashboard | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

test('the page and its figures are for this machine only, and nothing loads from elsewhere', async () => {
  open = await openDashboard(0, systemClock);
  const page = await request(open.url);
  const text = await page.body.text();
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(text).not.toMatch(/https?:\/\//);
  const data = await request(`${open.url}data`);
  expect(await data.body.json()).toBeNull();
  const foreign = await request(open.url, { headers: { host: 'evil.example' } });
  await foreign.body.dump();
  expect(foreign.statusCode).toBe(403);
  const other = await request(`${open.url}etc`);
  await other.body.dump();
  expect(other.statusCode).toBe(404);
});

test('at the end the page has the final figures and the report, and nobody is waited for who does not look', async () => {
  open = await openDashboard(0, systemClock);
  const get = async (path: string) => (await request(`${open?.url}${path}`)).body;
  const report = join(mkdtempSync(join(tmpdir(), 'dashboard-')), 'report.html');
  writeFileSync(report, '<h1>The report</h1>');
  await open.finish(result, report);
  await (await get('data')).dump();
  const finished = open.finish(result, report);
  const data = (await (await get('data')).json()) as { page: string; title: string; isOver: boolean };
  expect(data).toMatchObject({ title: '✗ load, gate not met: errors<1% (got 20%)', isOver: true });
  expect(data.page).toContain(report);
  expect(data.page).toContain('Requests per second over time');
  expect(await (await get('report.html')).text()).toBe('<h1>The report</h1>');
  await finished;
});

test('readers beyond what browsers need are turned away, and the others are served', async () => {
  open = await openDashboard(0, systemClock);
  const { port } = new URL(open.url);
  const readers = Array.from({ length: 40 }, () => connect(Number(port), '127.0.0.1'));
  let turnedAway = 0;
  for (const reader of readers) reader.on('error', () => undefined).once('close', () => (turnedAway += 1));
  await expect.poll(() => turnedAway).toBe(8);
  for (const reader of readers) reader.destroy();
  await expect.poll(async () => (await request(`${open?.url}data`).catch(() => null))?.statusCode).toBe(200);
});
