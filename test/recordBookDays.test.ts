import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VirtualClock } from '../src/core/virtualClock.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { judgedRows } from '../src/run/judgedRows.ts';
import { virtualRun } from './support/virtualRun.ts';

const dayMs = 86_400_000;

// The standard profile comes to the same, in four times the time.
const profile = 'smoke';

test('a daily run with two units spends at most two a day, over as long as its records last and longer', async () => {
  const memory = mkdtempSync(join(tmpdir(), 'gatecheck-days-'));
  const clock = new VirtualClock(Date.parse('2026-07-01T06:00:00Z'));
  const { enterprises, keys } = defaultEnterprises(4);
  const deployment = createDeployment({ enterprises, clock });
  let units = 0;
  const app = async (request: Request) => {
    const response = await deployment.fetch(request);
    const text = await response.clone().text();
    units = Math.max(units, ...[...text.matchAll(/"consumed_units":(\d+)/g)].map(([, n]) => Number(n)));
    return response;
  };
  const days: { readonly spent: number; readonly end: string; readonly bad: readonly string[] }[] = [];
  for (let day = 0; day < 14; day += 1) {
    const before = units;
    const { session, settings, checks } = await virtualRun({
      ...{ app, clock, memory, primary: keys.primary.slice(0, 2) },
      config: { profile, budgets: { maxQuota: 2 } },
      // Without any time in between, nobody can tell which of two answers came first.
      transport: (inner) => ({
        ...inner,
        send: async (request) => {
          await clock.sleep(1);
          return inner.send(request);
        },
      }),
    });
    const rows = judgedRows(settings, { checks, outcomes: session.outcomes, dialect: session.dialect });
    const bad = [...rows].flatMap(([{ id }, { status }]) =>
      status === 'fail' || status === 'inconclusive' ? [id] : [],
    );
    days.push({ spent: units - before, end: session.end, bad });
    clock.advance(dayMs);
  }
  rmSync(memory, { recursive: true, force: true });
  expect(units).toBeGreaterThan(0);
  expect(days.filter(({ spent, end, bad }) => spent > 2 || end !== 'completed' || bad.length > 0)).toEqual(
    [],
  );
});
