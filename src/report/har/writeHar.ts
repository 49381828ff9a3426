import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { journalLineOf } from '../../send/journalLine.ts';
import { writeWhole } from '../writeWhole.ts';
import { deliveryEntry, exchangeEntry } from './harEntry.ts';
import { readLines } from './readLines.ts';

/** Exports the evidence of a run as HAR 1.2, line by line, so that memory use does not depend on the length of the run. */
export async function writeHar(ndjsonPath: string, harPath: string, version = 'unknown'): Promise<void> {
  await writeWhole(harPath, (temporary) =>
    pipeline(Readable.from(renderHar(readLines(ndjsonPath), version)), createWriteStream(temporary)),
  );
}

async function* renderHar(lines: AsyncIterable<string>, version: string): AsyncGenerator<string> {
  let unread = 0;
  let separator = '\n';
  yield `{"log":{"version":"1.2","creator":${JSON.stringify({ name: 'gatecheck', version })},"entries":[`;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const entry = renderEntry(line);
    if (entry === unreadable) unread += 1;
    if (typeof entry !== 'string') continue;
    yield separator + entry;
    separator = ',\n';
  }
  // An interrupt may cut the last line short; the rest is still evidence.
  const comment = unread === 0 ? '' : `,"comment":"${unread} unreadable lines of evidence.ndjson left out"`;
  yield `\n]${comment}}}\n`;
}

const unreadable = Symbol('unreadable');

/** Undefined for an event, which a HAR cannot contain. */
function renderEntry(line: string): string | typeof unreadable | undefined {
  const parsed = journalLineOf(line);
  if (parsed === null) return unreadable;
  if (parsed.type === 'exchange') return JSON.stringify(exchangeEntry(parsed));
  return parsed.type === 'delivery' ? JSON.stringify(deliveryEntry(parsed)) : undefined;
}
