import { z } from 'zod';
import { eventSchema, runEventSchema, type Frozen } from '../../engine/observe/events.ts';
import { gateSchema } from '../../report/gate.ts';
import { areas } from '../../run/doctor/render.ts';

const text = z.string();
const count = z.int().min(0);
const ms = z.number().min(0);

const planEvents = [
  eventSchema('check-planned', 'a check that the run would send', {
    check: text,
    title: text,
    verifies: z.array(text).describe('ids of requirements'),
    cases: count.describe('generated cases; 0 for checks that generate none'),
    requests: count,
    quota: count.describe('quota units that stay spent'),
    subscriptions: count.describe('flight subscriptions that stay behind'),
  }),
  eventSchema('check-skipped', 'a check that the run would leave out', {
    check: text,
    title: text,
    cause: z.enum(['capability', 'selection', 'budget']),
    reason: text,
    hint: text.nullable().describe('what would enable it'),
  }),
  eventSchema('plan-made', 'the totals; the last event of a plan', {
    profile: text,
    seed: z.int(),
    checks: count,
    skipped: count,
    requests: count,
    quota: count,
    subscriptions: count,
    expectedMs: ms.describe('shortest time that the rate limits allow'),
  }),
] as const;

const doctorEvents = [
  eventSchema('looked-at', 'something that a run depends on', {
    area: z.enum(areas),
    subject: text.describe('an API, a key by its label, a capability'),
    health: z.enum(['ok', 'warn', 'fail']),
    text: text.describe('what was found'),
    todo: text.nullable().describe('what to do about it'),
  }),
  eventSchema('doctor-finished', 'everything was checked', {
    failed: count,
    warnings: count,
    exitCode: count,
  }),
] as const;

const loadEvents = [
  eventSchema('load-started', 'the load itself starts; everything that it needs is ready', {
    runId: text,
    target: text,
    seed: z.int(),
    planned: count.describe('requests; for journeys, their starts; 0 for a saturation'),
    keys: count,
    durationMs: ms,
    ratePerSecond: z.number().min(0),
    withinLimits: z.boolean(),
  }),
  eventSchema('load-figures', 'the current figures, once a second', {
    elapsedMs: ms,
    sent: count,
    ok: count,
    refused: count.describe('429s'),
    errors: count,
    missed: count.describe('not sent in time'),
    lost: count.describe('sent, and never answered'),
    inFlight: count,
    wantedPerSecond: z.number().min(0),
    sentPerSecond: z.number().min(0).describe('in the last whole step'),
    p50Ms: ms,
    p90Ms: ms,
    p99Ms: ms,
    broken: count.describe('rules that were broken so far'),
  }),
  eventSchema('load-finished', 'the load is over and judged', {
    verdict: text,
    reasons: z.array(text),
    sent: count,
    ok: count,
    refused: count,
    errors: count,
  }),
] as const;

const lastEvents = [
  eventSchema('reports', 'the last event of a run or a load', {
    exitCode: count,
    verdict: text.describe('what is said about the target, as in result.json'),
    gate: gateSchema.nullable(),
    paths: z.array(text).describe('the reports that a reader opens first'),
  }),
] as const;

/** What `--json` prints, by command: each event as a line, with the time of this machine. */
export const eventGroups = [
  { of: ['run', 'limits'], events: runEventSchema.options },
  { of: ['plan'], events: planEvents },
  { of: ['doctor'], events: doctorEvents },
  { of: ['load'], events: loadEvents },
  { of: ['run', 'limits', 'load'], events: lastEvents },
] as const;

/** An event that a command prints in addition to those of a run. */
export type CommandEvent = Frozen<
  z.infer<
    | (typeof planEvents)[number]
    | (typeof doctorEvents)[number]
    | (typeof loadEvents)[number]
    | (typeof lastEvents)[number]
  >
>;

const at = z.iso.datetime().describe('when it was printed, UTC');

/** A line of `--json`. */
export const eventLineSchema = z.union(
  eventGroups
    .flatMap<z.ZodObject>(({ events }) => [...events])
    .map((event) => event.extend({ at }).describe(event.description ?? '')),
);
