import { readLines } from '../har/readLines.ts';
import {
  incomingBody,
  placeOfBody,
  withIncoming,
  type DeliveryLine,
  type ExchangeLine,
  type RecordedBody,
} from '../../send/journalLine.ts';
import { shownStart } from '../../core/ownStart.ts';

/** What was on the wire, by the ids of exchanges and callbacks. */
export type EvidenceById = ReadonlyMap<string, ExchangeLine | DeliveryLine>;

/** When a check sent requests, and how long the answers took. */
export interface CheckTimes {
  readonly requests: number;
  /** Epoch milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  /** Total duration of its requests in milliseconds. */
  readonly busyMs: number;
}

/** What reports need of the journal of a run. */
export interface RunEvidence {
  readonly byId: EvidenceById;
  /** Times by check. */
  readonly times: ReadonlyMap<string, CheckTimes>;
}

const head = /^\{"type":"(?:exchange|delivery)","id":"([^"]+)"/;
const timed = /^,"check":("(?:[^"\\]|\\.)*").*?,"startedAt":"([^"]+)","durationMs":([\d.]+)/;
/** The time of sending is within this many characters of the start of a line. */
const headLength = 1000;

/**
 * Reads a journal once, line by line; only what is wanted is parsed completely, however long it is. A journal that is cut off or
 * unreadable is no error: there is less to show then. A long body that is recorded under another id takes a second pass. Bodies of
 * more than `mostBody` characters are cut, since many of megabytes each would have to be held at once.
 */
export async function readEvidence(
  path: string,
  wanted: ReadonlySet<string>,
  mostBody = Number.POSITIVE_INFINITY,
): Promise<RunEvidence> {
  const { byId, times } = await readOnce(path, wanted, mostBody);
  const places = [...byId.values()].map(placeOfBody).filter((place) => place !== null);
  const missing = places.filter((place) => !byId.has(place));
  const others = missing.length === 0 ? byId : (await readOnce(path, new Set(missing), mostBody)).byId;
  for (const [id, line] of byId) {
    const place = placeOfBody(line);
    const first = place === null ? undefined : (byId.get(place) ?? others.get(place));
    if (first !== undefined) byId.set(id, withIncoming(line, incomingBody(first)));
  }
  return { byId, times };
}

interface Read {
  readonly byId: Map<string, ExchangeLine | DeliveryLine>;
  readonly times: Map<string, CheckTimes>;
}

async function readOnce(path: string, wanted: ReadonlySet<string>, mostBody: number): Promise<Read> {
  const byId = new Map<string, ExchangeLine | DeliveryLine>();
  const times = new Map<string, CheckTimes>();
  try {
    for await (const line of readLines(path)) {
      const begin = head.exec(line);
      if (begin === null) continue;
      addTime(times, line.slice(begin[0].length, headLength));
      const id = begin[1] ?? '';
      const whole = wanted.has(id) ? evidenceLineOf(line) : null;
      if (whole !== null) byId.set(id, withShortBodies(whole, mostBody));
    }
  } catch {
    return { byId, times };
  }
  return { byId, times };
}

/** Null if the line is damaged: what comes after it is still shown. */
function evidenceLineOf(text: string): ExchangeLine | DeliveryLine | null {
  try {
    return JSON.parse(text) as ExchangeLine | DeliveryLine;
  } catch {
    return null;
  }
}

function addTime(times: Map<string, CheckTimes>, rest: string): void {
  const [, name, at, ms] = timed.exec(rest) ?? [];
  if (name === undefined) return;
  const check = JSON.parse(name) as string;
  const [startMs, busyMs] = [Date.parse(at ?? ''), Number(ms)];
  const before = times.get(check) ?? { requests: 0, startMs, endMs: startMs, busyMs: 0 };
  times.set(check, {
    requests: before.requests + 1,
    startMs: Math.min(before.startMs, startMs),
    endMs: Math.max(before.endMs, startMs + busyMs),
    busyMs: before.busyMs + busyMs,
  });
}

/** The line with bodies cut to a readable length. */
export function withShortBodies<T extends ExchangeLine | DeliveryLine>(line: T, most: number): T {
  const short = { ...line, request: withShortBody(line.request, most) };
  return line.type === 'delivery' ? short : { ...short, response: withShortBody(line.response, most) };
}

/** A journal that was edited may lack required parts. */
function withShortBody<P extends { readonly body: RecordedBody } | null>(part: P | undefined, most: number) {
  const body = part?.body ?? null;
  return body === null ? part : { ...part, body: shortBody(body, most) };
}

function shortBody(body: NonNullable<RecordedBody>, most: number): RecordedBody {
  const text = 'text' in body ? body.text : body.base64;
  if (text.length <= most) return body;
  const cut = shownStart(text, most);
  return 'text' in body ? { text: cut } : { base64: cut };
}
