import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { systemClock } from '../../src/core/clock.ts';
import { slicesOf } from '../../src/load/plan/arrivals.ts';
import { Durations } from '../../src/load/summary/histogram.ts';
import { Recorder } from '../../src/load/send/recorder.ts';
import { runLocally } from '../../src/load/send/runLocally.ts';
import { saturate } from '../../src/load/send/saturate.ts';
import { Sender } from '../../src/load/send/sender.ts';
import { stepMs, type LoadPlan } from '../../src/load/plan/plan.ts';
import { Allowance } from '../../src/send/allowance.ts';
import { Pacer } from '../../src/send/pacer.ts';
import type { ApiRequest } from '../../src/send/request.ts';
import { createUndiciTransport } from '../../src/send/undiciTransport.ts';
import { resolveSettings } from '../../src/settings/settings.ts';
import { benchKey, mixes } from '../payloads.ts';

/** What one process came to, to be measured alone: `node bench/load/process.ts closed|bare|open|flood URL SECONDS RATE`. */
export interface LoadFigures {
  readonly perSecond: number;
  /** Of an open load: how late 99 % of the sends were at most. */
  readonly latenessMs: number;
  readonly missed: number;
}

const [mode = '', url = '', seconds = '5', rate = '0'] = process.argv.slice(2);
const connections = 64;
const sent = listRequest();

const runs: Record<string, (seconds: number) => Promise<LoadFigures>> = { closed, bare, open, flood };
const run = runs[mode] ?? closed;
// What is compiled and connected on the way is none of the figures.
await run(3);
process.stdout.write(JSON.stringify(await run(Number(seconds))));
process.exit();

/** Bare undici: so many requests always in flight, each followed by the next one. */
async function closed(forSeconds: number): Promise<LoadFigures> {
  const until = performance.now() + forSeconds * 1000;
  let answered = 0;
  const started = performance.now();
  const lane = async () => {
    while (performance.now() < until) {
      await sendBare();
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return { perSecond: (answered * 1000) / (performance.now() - started), latenessMs: 0, missed: 0 };
}

/** The least that an open load is: undici sends each request at its time, whether or not earlier ones were answered. */
async function bare(forSeconds: number): Promise<LoadFigures> {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  const gapMs = 1000 / Number(rate);
  const planned = Math.floor((forSeconds * 1000) / gapMs);
  const lateness = new Durations();
  const answers: Promise<unknown>[] = [];
  const started = performance.now();
  for (let turn = 0; turn < planned; turn += 1) {
    const due = started + turn * gapMs;
    const wait = due - performance.now();
    if (wait > 0) await setTimeout(wait);
    lateness.record(Math.max(0, performance.now() - due));
    answers.push(sendBare(dispatcher));
  }
  await Promise.all(answers);
  const perSecond = (planned * 1000) / (performance.now() - started);
  await dispatcher.close();
  return { perSecond, latenessMs: lateness.percentile(99), missed: 0 };
}

async function sendBare(dispatcher?: Agent): Promise<void> {
  const { body } = await request(`${url}${sent.path}?${sent.query}`, {
    headers: { 'X-API-Key': benchKey },
    ...(dispatcher === undefined ? {} : { dispatcher }),
  });
  await body.arrayBuffer();
}

async function open(forSeconds: number): Promise<LoadFigures> {
  const parts = partsFor(Number(rate), forSeconds);
  const { plan, recorder } = parts;
  const elapsedMs = await runLocally({
    ...parts,
    pacer: new Pacer({ clock: systemClock, limits: [{ limit: 1e9, windowMs: 60_000 }] }),
    clock: systemClock,
    signal: new AbortController().signal,
    maxInFlight: 512,
    runner: null,
    onStart: () => undefined,
  });

  const planned = slicesOf(plan).reduce((sum, { count }) => sum + count, 0);
  return {
    perSecond: (recorder.sent * 1000) / Math.max(elapsedMs, plan.durationMs),
    latenessMs: recorder.lateness.percentile(99),
    missed: planned - recorder.sent,
  };
}

/** The saturation of `gatecheck load --saturate`, with all that it records. */
async function flood(forSeconds: number): Promise<LoadFigures> {
  const { recorder, ...parts } = partsFor(1, forSeconds);
  const elapsedMs = await saturate({
    ...parts,
    recorder,
    baseUrls: { webcheckin: url, 'flight-alerts': url },
    connections: 10,
    clock: systemClock,
    signal: new AbortController().signal,
    onStart: () => undefined,
  });
  return { perSecond: (recorder.sent * 1000) / elapsedMs, latenessMs: 0, missed: 0 };
}

function partsFor(ratePerSecond: number, forSeconds: number) {
  const settings = resolveSettings(
    { target: url, keys: { primary: 'env:BENCH_KEY' } },
    { env: { BENCH_KEY: benchKey } },
  );
  const plan: LoadPlan = {
    seed: 1,
    ratePerSecond,
    arrivals: 'steady',
    durationMs: forSeconds * 1000,
    maxRequests: 1e9,
    mix: [{ operation: 'wci.list', weight: 1 }],
    withinLimits: false,
  };
  const recorder = new Recorder(stepMs(plan));
  const sender = new Sender({
    transport: createUndiciTransport(settings.http, systemClock, connections),
    baseUrls: { webcheckin: url, 'flight-alerts': url },
    extraHeaders: [],
    payload: () => ({ request: sent, expects: [200] }),
    recorder,
    allowance: new Allowance({ maxRequests: 1e9, maxQuota: 0, maxSubscriptions: 0 }),
    spending: { kindOf: () => null, wasSpent: () => false, takeUnspent: () => 0, unproven: () => 0 },
    onExchange: () => undefined,
    onOutcome: () => undefined,
    redact: (text) => text,
    shared: { offsetMs: 0, errorMs: 0 },
  });
  const keys = [{ label: 'primary#1', enterprise: 'primary', value: benchKey }];
  return { plan, recorder, sender, keys, http: settings.http };
}

/** One exchange that the server knows; the same for all that are compared. */
function listRequest(): ApiRequest {
  const found = mixes.accepted.find(({ request: { operation } }) => operation === 'wci.list');
  if (!found) throw new Error('the mix has no list request');
  return found.request;
}
