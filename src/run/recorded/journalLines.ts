import { z } from 'zod';
import { clockEvent } from '../../engine/clockBook.ts';
import type { JournalLine } from '../../send/journalLine.ts';

const text = z.string();
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

/** How far the state handler had moved the target's clock from then on. */
const clock = z.object({ name: z.literal(clockEvent), data: z.object({ movedMs: z.number() }) });
/** What only the run itself reads: what it did, and what it was about to send. */
const event = z.looseObject({ type: z.literal('event') });
const sending = z.object({ type: z.literal('sending') });

/** A line of evidence.ndjson, as far as it is judged: files of people are not to be trusted. */
export const journalLineSchema = z.discriminatedUnion('type', [exchange, delivery, event, sending]);

/** How far the state handler had moved the target's clock at each exchange, by its id, where it had. */
export function movesIn(lines: readonly JournalLine[]): ReadonlyMap<string, number> {
  const moves = new Map<string, number>();
  let movedMs = 0;
  for (const line of lines) {
    if (line.type === 'event') movedMs = clock.safeParse(line).data?.data.movedMs ?? movedMs;
    if (line.type === 'exchange' && movedMs !== 0) moves.set(line.id, movedMs);
  }
  return moves;
}
