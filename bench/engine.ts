import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCatalogue } from '../src/catalogue/loadCatalogue.ts';
import { resolveSettings } from '../src/settings/resolveSettings.ts';
import { systemClock } from '../src/core/clock.ts';
import { Redactor } from '../src/core/redact.ts';
import type { Settings } from '../src/core/settings.ts';
import type { Listener } from '../src/engine/events.ts';
import { Session } from '../src/engine/session.ts';
import { oracles } from '../src/judge/oracles.ts';
import { budgetsOf } from '../src/plan/budgets.ts';
import { makePlan } from '../src/plan/plan.ts';
import { openJournal, type Journal } from '../src/send/journal.ts';
import { openTarget } from '../src/target/openTarget.ts';
import type { Target } from '../src/target/target.ts';
import type { Candidate } from './figures.ts';
import { benchKey } from './payloads.ts';

/** The engine as a run has it, without checks: every exchange is paced, judged by all oracles, recorded and told. */
export async function createEngine(url: string): Promise<Candidate> {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-bench-'));
  const settings = settingsFor(url);
  const redactor = new Redactor();
  const journal = openJournal(join(folder, 'evidence.ndjson'), redactor);
  const target = await openTarget(settings, systemClock);
  const session = createSession(settings, target, journal, redactor);
  return {
    exchange: async (request) => {
      await session.client.send(request, 'bench');
    },
    finish: async () => {
      await target.close();
      await journal.close();
      rmSync(folder, { recursive: true });
      return judgedBy(session);
    },
  };
}

const unlimited = 1e9;

function settingsFor(url: string): Settings {
  const config = { target: url, keys: { primary: 'env:BENCH_KEY' } };
  const settings = resolveSettings(config, { env: { BENCH_KEY: benchKey } });
  return { ...settings, limits: { perMinute: unlimited, perHour: unlimited } };
}

function createSession(settings: Settings, target: Target, journal: Journal, redactor: Redactor): Session {
  const catalogue = loadCatalogue();
  const budgets = { ...budgetsOf(settings), maxRequests: unlimited };
  const capabilities = new Set<never>();
  const listener: Listener = (event) => {
    if (event.name !== 'exchange') journal.event(systemClock.now(), event.name, event);
  };
  return new Session({
    runId: 'bench',
    settings,
    plan: makePlan({ checks: [], catalogue, settings, budgets, capabilities, keys: 1 }),
    catalogue,
    oracles,
    target,
    sink: null,
    clock: systemClock,
    journal,
    redactor,
    listener,
    signal: new AbortController().signal,
    width: 1,
    onDemand: null,
    paceFile: null,
  });
}

function judgedBy({ tallies }: Session): { judgements: number; violations: number } {
  const all = oracles.flatMap(({ verifies }) => verifies).map((requirement) => tallies.of(requirement));
  return {
    judgements: all.reduce((sum, { samples }) => sum + samples, 0),
    violations: all.reduce(
      (sum, { violations, fault }) => sum + violations.size + (fault === null ? 0 : 1),
      0,
    ),
  };
}
