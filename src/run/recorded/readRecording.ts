import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { usageError, type GatecheckError } from '../../core/errors.ts';
import { messageOf, withBodies, type JournalLine } from '../../send/journalLine.ts';
import { harLines } from './harLines.ts';
import { journalLineSchema } from './journalLines.ts';
import { LeftOut, type TrafficFile } from './recording.ts';

/** A text of more bytes than this fits into no string of Node; half of it leaves room for what is read from it. */
const largest = 256 * 1024 * 1024;

/** Reads a HAR, or the evidence.ndjson of a run. Throws a usage error that says what is wrong with the file. */
export async function readRecording(path: string): Promise<TrafficFile> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() === true)
    throw unreadable(path, 'a folder', `Of the reports of a run, name ${join(path, 'evidence.ndjson')}.`);
  if (!found?.isFile()) throw unreadable(path, 'no such file');
  if (found.size > largest)
    throw unreadable(
      path,
      `${Math.round(found.size / 2 ** 20)} MB, more than ${largest / 2 ** 20} MB`,
      tooLarge,
    );
  const start = await beginning(path);
  if (start.trim() === '') throw unreadable(path, 'an empty file');
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unreadable(path, cause instanceof Error ? cause.message : String(cause));
  });
  return isJournal(start) ? readJournal(text, path) : readHar(text, path);
}

const tooLarge = 'Record a shorter time, or export only the requests to these APIs.';

async function beginning(path: string): Promise<string> {
  for await (const chunk of createReadStream(path, { encoding: 'utf8', end: 4095 })) return String(chunk);
  return '';
}

/** The journal has an object a line, each with its type; a HAR is one object. */
function isJournal(start: string): boolean {
  return /^\s*\{"type":"(exchange|delivery|event|step|claim)"/.test(start);
}

function readJournal(text: string, path: string): TrafficFile {
  const leftOut = new LeftOut();
  const lines: JournalLine[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const parsed = journalLineSchema.safeParse(parseJson(line));
    if (parsed.success) lines.push(parsed.data as JournalLine);
    else leftOut.add('unreadable lines');
  }
  if (lines.length === 0) throw unreadable(path, 'no line that can be read');
  const shared = { isOwn: true, isJournal: true, leftOut: leftOut.counts };
  return { ...shared, path, lines: withBodies(lines, messageOf) };
}

function readHar(text: string, path: string): TrafficFile {
  const value = parseJson(text);
  if (value === undefined) throw unreadable(path, 'no JSON, or JSON that was cut off');
  return harLines(value, path) ?? refuse(path);
}

function refuse(path: string): never {
  throw unreadable(path, 'JSON without log.entries');
}

function parseJson(text: string): unknown {
  try {
    // A byte order mark, as tools of Windows write it, is none of JSON.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
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
