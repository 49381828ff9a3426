import { usageError, type GatecheckError } from '../../core/errors.ts';
import { messageOf, withBodies, type JournalLine } from '../../send/journalLine.ts';
import { harLines } from './harLines.ts';
import { journalLineSchema } from './journalLines.ts';
import { LeftOut, type TrafficFile } from './recording.ts';
import { recordingText } from './recordingText.ts';

/**
 * Reads a HAR, or the evidence.ndjson of a run: a file, a pipe, or `-` for standard input. Throws a usage error that says what is wrong
 * with it.
 */
export async function readRecording(path: string): Promise<TrafficFile> {
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
