import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Io } from '../../../core/io.ts';
import { writeText } from '../../../report/writeWhole.ts';
import { renderWireConsole, renderWireJson } from './renderWire.ts';
import { renderWireHtml } from './renderWireHtml.ts';
import type { WireProof } from './wireProof.ts';

/** Writes the report into a folder, as data and as a page. */
export async function writeWire(proof: WireProof, dir: string, { redactor }: Io): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeText(join(dir, 'wire.json'), redactor.redact(renderWireJson(proof)));
  await writeText(join(dir, 'wire.html'), redactor.redact(renderWireHtml(proof)));
}

/** Prints the totals, and where the report is. */
export function printWire(proof: WireProof, dir: string, { stdout, redactor, folder }: Io): void {
  stdout.write(redactor.redact(renderWireConsole(proof, stdout.palette)));
  stdout.write(`\n  ${relative(folder, join(dir, 'wire.html'))}\n`);
}
