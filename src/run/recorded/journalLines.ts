import { z } from 'zod';

const text = z.string();
const number = z.number();
const instant = text.refine((value) => !Number.isNaN(Date.parse(value)), 'an instant');
const headers = z.array(z.tuple([text, text]));
const same = z.object({ id: text, bytes: z.number() });
const body = z.union([z.object({ text, same: same.optional() }), z.object({ base64: text })]).nullable();

const exchange = z.object({
  type: z.literal('exchange'),
  id: text,
  check: text,
  operation: text.nullable(),
  enterprise: text.nullable(),
  key: text.nullable(),
  startedAt: instant,
  durationMs: z.number().min(0),
  timings: z.tuple([number, number, number, number]).optional().catch(undefined),
  request: z.object({ method: text, url: text, headers, body }),
  response: z.object({ status: z.int().min(0).max(999), headers, body, truncated: z.boolean() }).nullable(),
  failure: z.object({ reason: text, message: text, maybeDelivered: z.boolean() }).nullable(),
});

const delivery = z.object({
  type: z.literal('delivery'),
  id: text,
  registration: text,
  connection: text,
  startedAt: instant,
  durationMs: z.number().min(0),
  request: z.object({ method: text, target: text, headers, body, truncated: z.boolean() }),
  answer: text,
});

const members = z.record(text, z.unknown());
const step = z.object({
  ...{ type: z.literal('step'), id: text, operation: text, params: members.nullable() },
  ...{ startedAt: instant, durationMs: z.number().min(0), told: members, movedMs: number },
  outcome: z.enum(['done', 'refused', 'unknown']),
  error: text.nullable(),
});

const claimed = { type: z.literal('claim'), at: instant };
const claim = z.discriminatedUnion('claim', [
  z.object({ ...claimed, claim: z.enum(['own-records', 'labels', 'stranger']) }),
  z.object({ ...claimed, claim: z.literal('moved-clock'), movedMs: number }),
  z.object({ ...claimed, claim: z.literal('known-later'), label: text, text }),
  z.object({ ...claimed, claim: z.literal('made-up'), ids: z.array(z.union([text, number])) }),
  z.object({ ...claimed, claim: z.literal('next-page'), exchange: text, after: text }),
  z.object({ ...claimed, claim: z.literal('cut-off'), exchanges: z.array(text) }),
  z.object({ ...claimed, claim: z.literal('outage'), exchanges: z.array(text), why: text }),
]);

/** What only the run itself reads: what it did, and what it was about to send. */
const event = z.looseObject({ type: z.literal('event') });
const sending = z.looseObject({ type: z.literal('sending') });

/** A line of evidence.ndjson, as far as it is judged: files of people are not to be trusted. */
export const journalLineSchema = z.discriminatedUnion('type', [
  exchange,
  delivery,
  step,
  claim,
  event,
  sending,
]);
