import type { Clock } from '../core/clock.ts';
import type { RecordedResponse } from '../core/evidence.ts';
import type { Admission, ReceivedRequest } from '../receive/inbox.ts';
import type { WireRequest, WireResult } from '../send/transport.ts';
import { readJson, writeJson, type Json } from './json.ts';
import { fieldOf } from './multipart.ts';
import { withField } from './asked.ts';
import type { Wire } from './wire.ts';

/** Changes every answer. */
export function onAnswers(edit: (answer: RecordedResponse, request: WireRequest) => RecordedResponse): Wire {
  return {
    send: (inner) => async (request) => {
      const result = await inner(request);
      return withAnswer(result, (answer) => edit(answer, request));
    },
  };
}

type Store = Admission['record'];

/** Stands before the storing of deliveries: gets what stores them, and the path that they came to. */
export function onRecords(store: (inner: Store, target: string) => Store): Required<Pick<Wire, 'admit'>> {
  return {
    admit: (inner) => (target) => {
      const admission = inner(target);
      return { ...admission, record: store(admission.record, target) };
    },
  };
}

/** Changes every delivery before it is taken. */
export function onDeliveries(edit: (arrival: ReceivedRequest) => ReceivedRequest): Wire {
  return onRecords((store) => (arrival, given) => store(edit(arrival), given));
}

/** Changes the text of all JSON that a deployment sends, in answers and deliveries. */
export function onJsonTexts(edit: (text: string) => string): Wire {
  const editBody = (body: Uint8Array) =>
    readJson(body) === undefined ? body : Buffer.from(edit(Buffer.from(body).toString('utf8')));
  return onBodies(editBody);
}

/** Changes all JSON that a deployment sends, in answers and deliveries. */
export function onJson(edit: (value: Json) => Json): Wire {
  return onBodies((body) => {
    const value = readJson(body);
    if (value === undefined) return body;
    const edited = edit(value);
    return edited === value ? body : writeJson(edited);
  });
}

/** The result with another answer; a failure stays one. */
export function withAnswer(
  result: WireResult,
  edit: (answer: RecordedResponse) => RecordedResponse,
): WireResult {
  if (result.outcome.kind === 'failure') return result;
  return { ...result, outcome: { kind: 'response', response: edit(result.outcome.response) } };
}

/** The result as if its answer had been received just now. */
export function receivedNow(result: WireResult, clock: Clock): WireResult {
  return { ...result, timings: { ...result.timings, receivedAt: clock.now(), received: clock.monotonic() } };
}

function onBodies(edit: (body: Uint8Array) => Uint8Array): Wire {
  const answers = onAnswers((answer) => withBytes(answer, edit(answer.body)));
  const deliveries = onDeliveries((arrival) => withBytes(arrival, edit(arrival.body)));
  return { ...answers, ...deliveries };
}

/** A message with another body; a length that was named is named anew. */
export function withBytes<Message extends Pick<RecordedResponse, 'headers' | 'body'>>(
  message: Message,
  body: Uint8Array,
): Message {
  if (body === message.body) return message;
  const isCounted = fieldOf(message.headers, 'content-length') !== null;
  return {
    ...message,
    body,
    headers: isCounted ? withField(message.headers, 'content-length', String(body.length)) : message.headers,
  };
}
