import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../core/makeFolder.ts';
import { z } from 'zod';
import { healthy, type Watched } from './change.ts';
import type { SentAlert } from './send.ts';
import { firstTurn, type Turn } from './turn.ts';

/** What was spent on one day (UTC), and what is known of the deployment; kept over restarts of the monitor. */
export interface MonitorMemory {
  readonly day: string;
  readonly requests: number;
  readonly quota: number;
  readonly subscriptions: number;
  /** Rounds of the day. */
  readonly rounds: number;
  readonly watched: Watched;
  readonly turn: Turn;
  /** Alerts that the webhook has not taken yet, the oldest first. */
  readonly unsent: readonly SentAlert[];
}

const texts = z.array(z.string()).readonly();
const sentAlert = z.object({
  kind: z.enum(['failing', 'recovered', 'lost', 'back']),
  text: z.string(),
  requirements: texts,
  at: z.string(),
  target: z.string(),
  failing: z.record(z.string(), z.string()),
  report: z.string(),
});
const schema = z.object({
  day: z.string(),
  requests: z.number().min(0),
  quota: z.number().min(0),
  subscriptions: z.number().min(0),
  rounds: z.number().min(0).default(0),
  watched: z.object({
    failing: z.record(z.string(), z.string()),
    blind: z.number().min(0),
    isLost: z.boolean(),
  }),
  turn: z
    .object({ met: texts, free: texts, paid: texts, musts: texts, rounds: z.number().min(0) })
    .default(firstTurn),
  unsent: z.array(sentAlert).readonly().default([]),
});

const nothingSpent = { requests: 0, quota: 0, subscriptions: 0, rounds: 0 } as const;

/** The memory of a deployment, by its address; a file that cannot be read is one that is not there. */
export function loadMemory(folder: string, target: string): MonitorMemory {
  try {
    return schema.parse(JSON.parse(readFileSync(pathOf(folder, target), 'utf8')));
  } catch {
    return { ...nothingSpent, day: '', watched: healthy, turn: firstTurn, unsent: [] };
  }
}

/** A disk that cannot be written costs only what a restart would have known. */
export function saveMemory(folder: string, target: string, memory: MonitorMemory): void {
  const path = pathOf(folder, target);
  try {
    makeFolder(folder, 0o700);
    writeFileSync(`${path}.tmp`, JSON.stringify(memory), { mode: 0o600 });
    renameSync(`${path}.tmp`, path);
  } catch {
    return;
  }
}

/** What a day has left begins anew at midnight UTC. */
export function ofDay(memory: MonitorMemory, now: number): MonitorMemory {
  const day = new Date(now).toISOString().slice(0, 10);
  return memory.day === day ? memory : { ...memory, ...nothingSpent, day };
}

function pathOf(folder: string, target: string): string {
  return join(folder, `${createHash('sha256').update(target).digest('hex').slice(0, 32)}.monitor.json`);
}
