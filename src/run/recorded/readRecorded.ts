import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unzipSync, type UnzipFileInfo } from 'fflate';
import { isDelivery, type Exchange } from '../../core/evidence.ts';
import { usageError, type GatecheckError } from '../../core/errors.ts';
import { apis, operations, type Api } from '../../core/operations.ts';
import type { Redactor } from '../../core/redact.ts';
import type { KeyRing } from '../../send/keyRing.ts';
import { isNote } from '../../trace/evidence.ts';
import { evidenceOf, operationOf } from './evidenceOf.ts';
import type { Recorded } from './lineEvidence.ts';
import { Holders } from './holders.ts';
import { LeftOut, type TrafficFile } from './recording.ts';
import { messageOf, withBodies, type JournalLine } from '../../send/journalLine.ts';
import { harLines } from './harLines.ts';
import { journalLineSchema } from './journalLines.ts';

/** All that recordings show of a deployment. */
interface RecordedTraffic {
  readonly recorded: readonly Recorded[];
  /** The APIs that it addresses. */
  readonly apis: readonly Api[];
  readonly baseUrls: Readonly<Record<Api, string>>;
  /** What a person ought to know of it. */
  readonly notices: readonly string[];
}

interface LoadRecordedOptions {
  readonly files: readonly string[];
  /** Base addresses whose traffic counts; all where there are none. */
  readonly targets: readonly string[];
  readonly isOneEnterprise: boolean;
}

/** Reads recordings of one deployment. Throws a usage error for files that hold nothing of it, or several. */
export async function readRecorded(
  { files, targets, isOneEnterprise }: LoadRecordedOptions,
  keys: KeyRing,
  redactor: Redactor,
): Promise<RecordedTraffic> {
  const recordings: TrafficFile[] = [];
  for (const file of files) recordings.push(await readRecording(file));
  const foreign = recordings.flatMap(({ isOwn, lines }) => (isOwn ? [] : lines));
  const exchanges = foreign.filter((line) => line.type === 'exchange');
  // A webhook may carry its own credential in the same header.
  const asked = exchanges.filter((line) => operationOf(line) !== null);
  const holders = new Holders({ keys, isOneEnterprise, redactor }, asked);
  const all = evidenceOf(recordings, holders);
  const recorded = targets.length === 0 ? all : all.filter((one) => isOf(one, targets));
  const documented = recorded.flatMap(({ evidence }) =>
    isNote(evidence) || isDelivery(evidence) || evidence.operation === null ? [] : [evidence],
  );
  if (documented.length === 0) throw nothingRecorded(recordings, targets);
  return {
    recorded,
    apis: apis.filter((api) => documented.some((one) => apiOf(one) === api)),
    baseUrls: baseUrlsOf(documented),
    notices: noticesOf(recordings, holders),
  };
}

function isOf({ evidence }: Recorded, targets: readonly string[]): boolean {
  return isNote(evidence) || isDelivery(evidence) || targets.includes(evidence.request.baseUrl);
}

function apiOf({ operation }: Exchange): Api | null {
  return operation === null ? null : operations[operation].api;
}

/** Records of one deployment mean nothing in another: traffic of several has to be separated. */
function baseUrlsOf(exchanges: readonly Exchange[]): Readonly<Record<Api, string>> {
  const [webcheckin, flightAlerts] = apis.map((api) => {
    const urls = [
      ...new Set(exchanges.filter((one) => apiOf(one) === api).map(({ request }) => request.baseUrl)),
    ];
    if (urls.length > 1) throw severalTargets(api, urls);
    return urls[0];
  });
  const any = webcheckin ?? flightAlerts ?? '';
  return { webcheckin: webcheckin ?? any, 'flight-alerts': flightAlerts ?? any };
}

function severalTargets(api: Api, urls: readonly string[]) {
  const shown = urls.slice(0, 5).join(', ');
  return usageError(
    'SEVERAL_TARGETS',
    `Expected traffic of one deployment of ${api}; got ${urls.length}: ${shown}${urls.length > 5 ? ', …' : ''}.`,
    'Name the one to judge with --target.',
  );
}

function nothingRecorded(recordings: readonly TrafficFile[], targets: readonly string[]) {
  const left = recordings.flatMap(({ leftOut }) => [...leftOut]);
  const count = recordings.reduce((sum, { lines }) => sum + lines.length, 0);
  const all = left.reduce((sum, [, some]) => sum + some, count);
  const where = targets.length === 0 ? '' : ` to ${targets.join(' or ')}`;
  const why =
    left.length === 0 ? '' : `; left out: ${left.map(([reason, some]) => `${reason} (${some})`).join(', ')}`;
  return usageError(
    'NOTHING_RECORDED',
    `Expected recorded requests to /extPartner/api/…${where}; got ${all} entries, none of which is one${why}.`,
    targets.length === 0
      ? 'Record the traffic between a client and the deployment, with headers and contents.'
      : 'Leave out --target to see all.',
  );
}

function noticesOf(recordings: readonly TrafficFile[], holders: Holders): readonly string[] {
  const left = recordings.flatMap(({ path, leftOut }) =>
    [...leftOut].map(([reason, count]) => `${path}: left out ${reason} (${count}).`),
  );
  if (!holders.isUndecided) return left;
  const undecided =
    'The recording holds several API keys, and nothing says which belong to one enterprise: what depends on it is skipped. ' +
    'Name them in GATECHECK_KEYS_PRIMARY and GATECHECK_KEYS_OTHER, or say --one-enterprise.';
  return [...left, undecided];
}

/**
 * Reads a HAR, or the evidence.ndjson of a run or in its folder of reports: a file, a pipe, or `-` for standard input. Throws a usage error that says what is wrong
 * with it.
 */
export async function readRecording(given: string): Promise<TrafficFile> {
  const inReports = join(given, 'evidence.ndjson');
  const path = existsSync(inReports) ? inReports : given;
  const text = await recordingText(path, (got, hint) => {
    throw unreadable(path, got, hint);
  });
  if (text.trim() === '') throw unreadable(path, 'an empty file');
  if (isJournal(text.slice(0, 200))) return readJournal(text, path);
  const value = parseJson(text);
  // Something may stand before the first line of a journal.
  if (value === undefined && isJournal(text)) return readJournal(text, path);
  if (value === undefined) throw unreadable(path, 'no JSON, or JSON that was cut off');
  return harLines(value, path) ?? refuse(path);
}

/** The journal has an object a line, each with its type; a HAR is one object. */
function isJournal(text: string): boolean {
  return /^\s*\{"type":"(exchange|delivery|event|step|claim)"/m.test(text);
}

function readJournal(text: string, path: string): TrafficFile {
  const leftOut = new LeftOut();
  const lines: JournalLine[] = [];
  let first = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = journalLineSchema.safeParse(parseJson(line));
    if (parsed.success) lines.push(parsed.data as JournalLine);
    else leftOut.add(`unreadable lines, the first of them line ${(first ||= index + 1)}`);
  }
  if (lines.length === 0) throw unreadable(path, 'no line that can be read');
  const shared = { isOwn: true, isJournal: true, leftOut: leftOut.counts };
  return { ...shared, path, lines: withBodies(lines, messageOf) };
}

function refuse(path: string): never {
  throw unreadable(path, 'JSON without log.entries');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is wrong with a file that was given as a recording. */
function unreadable(path: string, got: string, hint = howToRecord): GatecheckError {
  return usageError(
    'BAD_RECORDING',
    `Expected a HAR or the evidence.ndjson of a run at ${path}; got ${got}.`,
    hint,
  );
}

const howToRecord =
  'Browsers export a HAR in the network tab of their developer tools, with contents; proxies such as mitmproxy save one.';

/** A text of more bytes than this fits into no string of Node; half of it leaves room for what is read from it. */
const largest = 256 * 1024 * 1024;

/** Says what is wrong with a recording; throws. */
type Refuse = (got: string, hint?: string) => never;

/** The text of a file, a pipe, or `-` for standard input; unpacked where it is gzip or a zip of one recording. */
async function recordingText(path: string, refuse: Refuse): Promise<string> {
  const bytes = await read(path, refuse);
  if (bytes.length === 0) refuse('an empty file');
  return decode(unpack(bytes, refuse));
}

async function read(path: string, refuse: Refuse): Promise<Buffer> {
  const found = path === '-' ? null : await stat(path).catch(() => undefined);
  if (found === undefined) refuse('no such file');
  if (found?.isDirectory() === true) refuse('a folder', ofFolder);
  if (found && found.size > largest) refuse(tooMuch(found.size), tooLarge);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > largest) break;
    }
  } catch (cause) {
    refuse(cause instanceof Error ? cause.message : String(cause));
  }
  return size > largest ? refuse(tooMuch(size), tooLarge) : Buffer.concat(chunks, size);
}

const ofFolder = 'Name a file in it, or a folder with the evidence.ndjson of a run.';
const tooLarge = 'Record a shorter time, or export only the requests to these APIs.';

function tooMuch(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB or more, over ${largest / 2 ** 20} MB`;
}

function unpack(bytes: Buffer, refuse: Refuse): Uint8Array {
  const [first, ...more] =
    unpacked(bytes) ?? refuse('an archive that cannot be unpacked, or too large a one');
  if (first === undefined) return refuse('a zip without a .har, .ndjson or .json file');
  return more.length === 0
    ? first
    : refuse(`a zip of ${more.length + 1} recordings`, 'Unpack it, and name each of its files.');
}

const startOfZip = Buffer.from('PK\u0003\u0004');

/** The recordings in an archive, or the bytes themselves; null for a damaged one. */
function unpacked(bytes: Buffer): readonly Uint8Array[] | null {
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return [gunzipSync(bytes, { maxOutputLength: largest })];
    if (!bytes.subarray(0, 4).equals(startOfZip)) return [bytes];
    const isRead = ({ name, originalSize }: UnzipFileInfo) => isRecording(name) && originalSize <= largest;
    const files = unzipSync(bytes, { filter: isRead });
    const hars = Object.entries(files).filter(([name]) => /\.har$/i.test(name));
    const [only] = hars;
    return only && hars.length === 1 ? [withAttached(only[1], files)] : Object.values(files);
  } catch {
    return null;
  }
}

/** Playwright packs a recording with its bodies, each a file that the entry names. */
function withAttached(har: Uint8Array, files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const text = decode(har);
  if (!text.includes('"_file"')) return har;
  const attach = (_name: string, value: unknown): unknown => {
    const name = typeof value === 'object' && value !== null && '_file' in value ? value._file : null;
    const file = typeof name === 'string' ? files[name] : undefined;
    return file ? { ...(value as object), text: decode(file) } : value;
  };
  return Buffer.from(JSON.stringify(JSON.parse(text, attach)));
}

function isRecording(name: string): boolean {
  return /\.(?:har|ndjson|json)$/i.test(name) && !name.startsWith('__MACOSX/');
}

/** Tools of Windows write UTF-16, which a byte order mark tells. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return new TextDecoder(isUtf16 ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(bytes);
}
