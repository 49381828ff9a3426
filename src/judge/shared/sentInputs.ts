import type { Exchange } from '../../core/evidence.ts';
import { keptTexts, onceForEach, onceForLatest } from '../../core/latest.ts';
import type { Envelope } from '../../spec/grammar/envelope.ts';
import type { Asked } from '../../spec/grammar/form.ts';
import { firstFault, readForms, type Fault, type Feature } from '../../spec/grammar/readForms.ts';
import {
  isObject,
  jsonTextOf,
  objectOf,
  responseOf,
  valueNamed,
  type Json,
  type JsonObject,
} from '../../trace/body.ts';
import { callOf, type Call } from '../../trace/call.ts';
import { framingOf, type SentPart } from '../../trace/parts.ts';
import { jsonWords } from '../../spec/wording/words.ts';

/** A request as the grammar reads it. */
export interface SentInputs {
  readonly asked: Asked;
  readonly members: JsonObject;
  readonly envelope: Envelope;
  readonly features: readonly Feature[];
  /** The first rule that it breaks; null if there is none. */
  readonly fault: Fault | null;
}

/** What a request says, read once for all who ask; null if it cannot be read in one way only. */
export const sentInputs = onceForLatest((exchange: Exchange): SentInputs | null => {
  const call = callOf(exchange);
  const members = call && (call.carrier === 'query' ? call.query : call.body);
  if (!members || call.carrier === 'unread') return null;
  const { op: operation, carrier } = call;
  if (carrier === 'multipart' && !operation.startsWith('wci.')) return null;
  // Whether a + is a space is open (FLA-OPN-031).
  if (carrier === 'query' && exchange.request.target.includes('+')) return null;
  const envelope = envelopeOf(call, members);
  const known = inputsIn(members);
  if (known.inputs?.envelope === envelope && known.inputs.asked.operation === operation) return known.inputs;
  const asked = { operation, carrier };
  const features = readForms(members, asked, envelope);
  return (known.inputs = { members, asked, envelope, features, fault: firstFault(features) });
});

/** One for all requests that are equal. */
const inputsIn = onceForEach<JsonObject, { inputs?: SentInputs }>(() => ({}));

/** The first rule for its inputs that a request breaks, whatever was answered; null if there is none, or if it cannot be read in one way. */
export function faultOfInput(exchange: Exchange): Fault | null {
  return sentInputs(exchange)?.fault ?? null;
}

/** A repeated subscribe may be recognised by its booking before the rest of it is looked at. */
export function isTaken(exchange: Exchange): boolean {
  if (responseOf(exchange)?.status !== 200) return false;
  const answer = objectOf(exchange);
  if (exchange.operation === 'wci.subscribe') return answer?.message === 'SCHEDULED';
  return exchange.operation?.startsWith('fla.') === true || answer?.success === true;
}

/** Whether a flight was searched for, so that nothing about its number, its date or its airports was refused. */
export function isSought(exchange: Exchange): boolean {
  return responseOf(exchange)?.status === 404 && objectOf(exchange)?.error === 'FLIGHT_NOT_FOUND';
}

/** A member of a request with its value, for people. */
export function shownInput(at: string, value: unknown): string {
  return `${at} ${jsonWords(shownValue(at, value))}`.trim();
}

/** The value as it may be shown. */
export function shownValue(at: string, value: unknown): unknown {
  return at.endsWith('auth_header') && typeof value === 'string' ? 'the value' : value;
}

/** Whether its body is JSON as any writer makes it, without a member twice or a number in another notation. */
export function isPlainJson({ request }: Exchange, members: JsonObject): boolean {
  const squeezed = (text: string) => text.replace(/\s+/g, '');
  const sent = request.body === null ? null : jsonTextOf(request.body);
  return sent !== null && squeezed(sent) === squeezed(JSON.stringify(members));
}

function envelopeOf({ exchange, carrier, parts, files }: Call, members: JsonObject): Envelope {
  const contentType = carrier === 'query' ? null : valueNamed(exchange.request.headers, 'content-type');
  const isChunked = valueNamed(exchange.request.headers, 'transfer-encoding') === 'chunked';
  if (carrier !== 'multipart') {
    const plain = contentType === null ? nothingAround : withoutParts(contentType);
    return isChunked ? { ...plain, isChunked } : plain;
  }
  const texts = parts.filter(({ isFile }) => !isFile);
  const fields = fileFields(members);
  return {
    ...{ contentType, isChunked },
    files: files.map(({ name }) => ({ name, of: fields.find((one) => one.name === name)?.of ?? null })),
    named: texts.filter(isNamed).map((part) => ({ name: part.name, type: typeOf(part) ?? '' })),
    texts: texts
      .filter((part) => !isNamed(part))
      .map((part) => ({ type: typeOf(part) ?? 'text/plain', isQuoted: part.isQuoted })),
    isFileFirst: parts[0]?.isFile === true,
    framing: framingOf(exchange.request.body ?? noBytes, contentType ?? '', parts).map((name) => ({ name })),
    isBound: sameNames(
      fields.map(({ name }) => name),
      files.map(({ name }) => name),
    ),
  };
}

const noBytes = new Uint8Array();

const nothingAround: Envelope = {
  contentType: null,
  named: [],
  texts: [],
  files: [],
  isFileFirst: false,
  framing: [],
  isBound: true,
  isChunked: false,
};
/** One for all requests of a content type: what it means is read once. */
const withoutParts = keptTexts((contentType): Envelope => ({ ...nothingAround, contentType }));

function typeOf({ head }: SentPart): string | undefined {
  return /^content-type:\s*([^\r\n]+)/im.exec(head)?.[1];
}

function isNamed({ name }: SentPart): boolean {
  return ['flights', 'passengers', 'callbackData', 'payload'].includes(name);
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join('\n') === others.toSorted().join('\n');
}

/** Every `file_field` in a value, with the member whose object or list has it. */
function fileFields(value: Json, of = ''): readonly { readonly name: string; readonly of: string }[] {
  if (Array.isArray(value)) return value.flatMap((one) => fileFields(one as Json, of));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'file_field' && typeof inner === 'string'
      ? [{ name: inner, of }]
      : fileFields(inner ?? null, name),
  );
}
