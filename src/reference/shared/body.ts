import type { Incoming } from './call.ts';
import { readMultipart, type FilePart } from './multipart.ts';
import { invalid, Refusal } from './refusal.ts';
import type { SharedPolicy } from './policy.ts';

/** A request body after decoding; of multipart bodies the text parts are members, those in `jsonParts` parsed. */
export interface RequestBody {
  readonly value: unknown;
  readonly multipart: boolean;
  readonly files: readonly FilePart[];
}

/** Decodes a JSON body; throws the refusal that fits what is wrong with it. */
export async function readJsonBody(incoming: Incoming, policy: SharedPolicy): Promise<RequestBody> {
  const type = mediaType(incoming.request);
  if (policy.bareContentType && incoming.request.headers.get('content-type')?.includes(';'))
    throw invalid('The content type must have no parameters.');
  if (type !== 'application/json') policy.foreignContentType(type);
  const value = policy.jsonBody(parseJson(await incoming.request.text(), incoming, policy));
  return { value, multipart: false, files: [] };
}

/** Decodes a JSON or multipart body (Web check-in, Multipart encoding). */
export async function readBody(
  incoming: Incoming,
  jsonParts: readonly string[],
  policy: SharedPolicy,
): Promise<RequestBody> {
  if (mediaType(incoming.request) !== 'multipart/form-data') return readJsonBody(incoming, policy);
  const contentType = incoming.request.headers.get('content-type') ?? '';
  const sent = { contentType, bytes: Buffer.from(await incoming.request.arrayBuffer()) };
  if (!policy.readsParts(sent)) throw invalid('The parts are not read.');
  const { texts, files } = await readMultipart(sent);
  const strange = files.findIndex((file, index) => !policy.acceptsFile(file, index));
  if (strange >= 0) throw invalid(`File part ${files[strange]?.name ?? ''} is not accepted.`);
  const value: Record<string, unknown> = {};
  for (const part of texts) value[part.name] = policy.partValue(part, jsonParts.includes(part.name));
  return { value, multipart: true, files };
}

function parseJson(text: string, incoming: Incoming, policy: SharedPolicy): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw policy.brokenJson(incoming.operation);
  }
}

/** JSON text of a multipart part, parsed. */
export function parsePart(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`Part ${name} is not valid JSON.`);
  }
}

/** A body whose content type is none of the operation's. */
export function refuseContentType(status: number): (type: string) => void {
  return (type) => {
    const code =
      status === 500 ? 'INTERNAL_ERROR' : status === 415 ? 'UNSUPPORTED_MEDIA_TYPE' : 'VALIDATION_ERROR';
    throw new Refusal(status, code, `Content type ${type || '(none)'} is not supported.`);
  };
}

function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
