import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { html } from '../html/html.ts';
import { style } from '../html/style.ts';
import { pageOf } from '../html/page.ts';
import { renderEvidenceLine } from '../page/exchangeView.ts';
import { evidenceFolder } from '../reportDir.ts';
import type { EvidenceLine } from '../page/pageData.ts';
import { withShortBodies } from './readEvidence.ts';

/** Exchanges per page: few enough to open at once. */
export const exchangesPerPage = 500;

/** Most characters of a body: a page of long ones would fill the memory. `evidence.ndjson` has them whole. */
const mostBody = 40_000;

/** Writes all exchanges and callbacks as pages that need no script, as they come. */
export class EvidencePages {
  readonly #dir: string;
  #lines: EvidenceLine[] = [];
  #count = 0;

  constructor(dir: string) {
    this.#dir = join(dir, evidenceFolder);
  }

  async begin(): Promise<void> {
    await rm(this.#dir, { recursive: true, force: true });
    await mkdir(this.#dir, { recursive: true });
  }

  async add(line: EvidenceLine): Promise<void> {
    this.#lines.push(withShortBodies(line, mostBody));
    if (this.#lines.length === exchangesPerPage) await this.end();
  }

  /** Writes the last, incomplete page. */
  async end(): Promise<void> {
    if (this.#lines.length === 0) return;
    this.#count += 1;
    const name = `${String(this.#count).padStart(4, '0')}.html`;
    const text = renderEvidencePage(this.#lines, this.#count);
    this.#lines = [];
    await writeFile(join(this.#dir, name), text);
  }
}

/** One page of exchanges and callbacks, each with its id as anchor. */
function renderEvidencePage(lines: readonly EvidenceLine[], number: number): string {
  const title = `Evidence, page ${number}`;
  const body = html`<header class="top">
      <h1>${title}</h1>
      <p><a href="../report.html">Report</a></p>
    </header>
    <main>
      ${lines.map(
        (line) =>
          html`<article class="card" id="${line.id}">
            <h2>${line.id}</h2>
            <p class="soft">${line.type === 'exchange' ? line.check : 'callback'}</p>
            ${renderEvidenceLine(line)}
          </article>`,
      )}
    </main>`;
  return pageOf({ title, style, body });
}
