import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveSettings } from '../src/settings/settings.ts';
import { Redactor } from '../src/core/redact.ts';
import type { Settings } from '../src/core/settings.ts';
import { noSink, openRun } from '../src/engine/session/openRun.ts';
import { Session } from '../src/engine/session/session.ts';
import { oracles } from '../src/judge/oracles.ts';
import { planOpen } from '../src/run/planRun.ts';
import { openJournal } from '../src/send/journal.ts';
import type { Candidate } from './figures.ts';
import { benchKey } from './payloads.ts';

/** The engine as a run has it, without checks: every exchange is paced, judged by all oracles, recorded and reported. */
export async function createEngine(url: string): Promise<Candidate> {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-bench-'));
  const redactor = new Redactor();
  const openFile = () => openJournal(join(folder, 'evidence.ndjson'), redactor);
  const run = await openRun(settingsFor(url), {
    id: 'bench',
    redactor,
    openJournal: openFile,
    openSink: noSink,
  });
  const session = new Session(run, { plan: planOpen(run, []) });
  return {
    exchange: async (request) => {
      await session.traffic.client.send(request, 'bench');
    },
    finish: async () => {
      await run[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
      return judgedBy(session);
    },
  };
}

const unlimited = 1e9;

function settingsFor(url: string): Settings {
  const config = { target: url, keys: { primary: 'env:BENCH_KEY' } };
  const settings = resolveSettings(config, { env: { BENCH_KEY: benchKey } });
  return {
    ...settings,
    limits: { perMinute: unlimited, perHour: unlimited },
    budgets: { ...settings.budgets, maxRequests: unlimited },
  };
}

function judgedBy({
  observations: {
    observer: { tallies },
  },
}: Session): { judgements: number; violations: number } {
  const all = oracles.flatMap(({ verifies }) => verifies).map((requirement) => tallies.of(requirement));
  return {
    judgements: all.reduce((sum, { samples }) => sum + samples, 0),
    violations: all.reduce(
      (sum, { violations, fault }) => sum + violations.size + (fault === null ? 0 : 1),
      0,
    ),
  };
}
