import { isUtf8 } from 'node:buffer';
import { bufferOf } from '../core/bytes.ts';
import type { Redactor } from '../core/redact.ts';
import type { ReceivedRequest } from '../receive/inbox.ts';
import { printable, shorten } from '../report/text/printable.ts';
import { shownHeader } from '../send/shownHeader.ts';
import type { ArrivalView } from './page/news.ts';

const mostShown = 16 * 1024;

export function viewOf(arrival: ReceivedRequest, redactor: Redactor): ArrivalView {
  const bytes = bufferOf(arrival.body);
  const isText = isUtf8(bytes);
  const text = redactor.redact(bytes.toString(isText ? 'utf8' : 'latin1'));
  const json = arrival.truncated ? undefined : parse(text);
  const size = sizeOf(arrival, isText);
  const clean = (shown: string) => printable(redactor.redact(shown));
  return {
    at: new Date(arrival.startedAt).toISOString(),
    ms: arrival.receivedAt - arrival.startedAt,
    method: clean(arrival.method),
    target: clean(arrival.target),
    connection: arrival.connection,
    headers: arrival.headers.map(([name, value]) => [
      clean(name),
      printable(shownHeader(name, value, redactor)),
    ]),
    body: printable(text.slice(0, mostShown)),
    pretty: json === undefined ? null : printable(JSON.stringify(json, null, 2).slice(0, mostShown)),
    size: size.text,
    about: arrival.truncated
      ? `too long to show (${size.amount})`
      : printable(shorten(redactor.redact(aboutOf(json, text)), 200)),
  };
}

/** The size of a body: of one that is not kept whole, as its header says. */
function sizeOf({ body, truncated, headers }: ReceivedRequest, isText: boolean) {
  const kept = body.length;
  const declared = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? '';
  const amount = !truncated
    ? `${kept} bytes`
    : /^\d{1,15}$/.test(declared)
      ? `${Number(declared)} bytes`
      : `more than ${kept} bytes`;
  const cut = kept > mostShown ? `, the first ${mostShown} shown` : '';
  // A character may be cut at the end of what is kept.
  return { amount, text: `${amount}${cut}${isText || truncated ? '' : ', not UTF-8'}` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `chk-1: status=FAILED, boarding_passes`: which record or flight, and what changed; short values are shown. */
function aboutOf(json: unknown, text: string): string {
  if (json === undefined) return text === '' ? 'no body' : 'not JSON';
  if (!isRecord(json)) return 'not a JSON object';
  const id = json.checkin_id ?? json.fid;
  const whose = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  const changes = isRecord(json.changes) ? leavesOf(json.changes).join(', ') : '';
  return [whose, changes].filter((part) => part !== '').join(': ');
}

/** The members of a record; those of nested records by their path. */
function leavesOf(record: Readonly<Record<string, unknown>>, prefix = ''): readonly string[] {
  return Object.entries(record).flatMap(([name, value]) =>
    isRecord(value) && prefix === '' ? leavesOf(value, `${name}.`) : [`${prefix}${name}${shortly(value)}`],
  );
}

function shortly(value: unknown): string {
  const text =
    typeof value === 'string' ? value : typeof value === 'object' && value !== null ? null : String(value);
  return text === null || text.length > 24 ? '' : `=${text}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
