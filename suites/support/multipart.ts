import {
  type ApiRequest,
  type CheckContext,
  type Exchange,
  type JsonObject,
  type OwnRecord,
  type Part,
  type RequestOptions,
  generate,
  isAccepted,
  rawRequest,
  responseOf,
} from '../checks.ts';
import { sameKey } from './keys.ts';

type Operation = 'wci.subscribe' | 'wci.update';

/** How a pnr travels in a multipart subscribe: a variant of WCI-OPN-005. */
export type PnrForm = 'text-parts' | 'json-text-parts' | 'not-read';

/** How the identifiers of a multipart update travel, in a way that works. */
export type ScalarForm = 'text-parts' | 'json-text-parts' | 'payload';

/** A multipart request with a boundary of its own. */
export function multipart(
  t: CheckContext,
  operation: Operation,
  parts: readonly Part[],
  options: RequestOptions = {},
): ApiRequest {
  const { bytes, contentType } = generate.encodeMultipart(parts, t.identities.token());
  return rawRequest(operation, bytes, contentType, options);
}

/** The parts of a booking: the named ones as JSON text, the pnr as text, in quotes, or left out. */
export function bookingParts(
  body: JsonObject,
  contentType: string | null = 'text/plain',
  form: PnrForm = 'text-parts',
): readonly Part[] {
  const named = ['flights', 'passengers', 'callbackData'].filter((name) => body[name] !== undefined);
  const pnr = form === 'json-text-parts' ? JSON.stringify(body.pnr) : body.pnr;
  return [
    ...(typeof pnr === 'string' && form !== 'not-read' ? [generate.textPart('pnr', pnr, contentType)] : []),
    ...named.map((name) => generate.jsonPart(name, body[name], contentType)),
  ];
}

/** Sends a subscribe with the pnr in each form until one is accepted; the natural form goes first. */
export async function sendInSomeForm(
  send: (form: PnrForm) => Promise<Exchange>,
): Promise<{ readonly exchange: Exchange; readonly form: PnrForm }> {
  const first = await send('text-parts');
  if (isAccepted(first)) return { exchange: first, form: 'text-parts' };
  for (const form of ['json-text-parts', 'not-read'] as const) {
    const exchange = await send(form);
    if (isAccepted(exchange)) return { exchange, form };
  }
  return { exchange: first, form: 'text-parts' };
}

/** The form in which the deployment takes a pnr: known already, or found out by a booking that stands already, which costs nothing. */
export async function pnrForm(t: CheckContext): Promise<PnrForm> {
  if (t.dialect.variant('WCI-OPN-005') !== null) return knownPnrForm(t);
  const { body, subscribed } = await t.fixtures.completeRecord();
  const options = { key: sameKey(t, subscribed) };
  const { form } = await sendInSomeForm((one) =>
    t.send(multipart(t, 'wci.subscribe', bookingParts(body, 'text/plain', one), options)),
  );
  return form;
}

/** The parts of an update: scalars in the given form, passengers and payload as JSON text. */
export function updateParts(body: JsonObject, form: ScalarForm = 'text-parts'): readonly Part[] {
  const named = ['passengers', 'payload'].filter((name) => body[name] !== undefined);
  const scalars = Object.entries(body).filter(([name]) => !named.includes(name));
  if (form === 'payload') {
    const { payload = {}, ...members } = body;
    return [generate.jsonPart('payload', { ...members, ...(payload as JsonObject) })];
  }
  const text = (value: unknown) =>
    form === 'json-text-parts' || typeof value !== 'string' ? JSON.stringify(value) : value;
  return [
    ...scalars.map(([name, value]) => generate.textPart(name, text(value))),
    ...named.map((name) => generate.jsonPart(name, body[name])),
  ];
}

/** The form in which the deployment reads the scalars of a multipart update; null if it reads none. */
export async function scalarForm(
  t: CheckContext,
  record: OwnRecord,
  key = sameKey(t, record.subscribed),
): Promise<ScalarForm | null> {
  const passengers = record.body.passengers ?? [];
  for (const form of ['text-parts', 'json-text-parts', 'payload'] as const) {
    const body = { checkin_id: record.checkinId, passengers };
    const exchange = await t.send(multipart(t, 'wci.update', updateParts(body, form), { key }));
    if (!isAccepted(exchange)) {
      t.assume(responseOf(exchange) !== null, 'an answer was lost');
      continue;
    }
    t.observe('WCI-OPN-005', form === 'payload' ? 'not-read' : form, exchange);
    return form;
  }
  return null;
}

/** The form of the scalars of an update, as far as this run has found it out; the natural one otherwise. */
export function knownForm(t: CheckContext): ScalarForm {
  const form = t.dialect.variant('WCI-OPN-005');
  return form === 'json-text-parts' ? form : form === 'not-read' ? 'payload' : 'text-parts';
}

/** The form of the pnr of a subscribe, as far as this run has found it out; the natural one otherwise. */
export function knownPnrForm(t: CheckContext): PnrForm {
  const form = t.dialect.variant('WCI-OPN-005');
  return form === 'json-text-parts' || form === 'not-read' ? form : 'text-parts';
}
