import type { Headers } from '../../core/evidence.ts';
import { breakable, html, type Html } from '../html/html.ts';
import { plural } from '../text/format.ts';
import { shorten } from '../text/printable.ts';
import { senderText } from '../text/sender.ts';
import { noMarks, type Marks } from './findingStory.ts';
import { bodyLines, partsOf } from './jsonView.ts';
import { bodyText, targetOf, type Moment } from './moments.ts';
import { withQuoted } from './offending.ts';
import { answerText } from './storyLines.ts';
import { evidenceAddress, type EvidenceLine, type IndexRow, type PageEvidence } from './pageData.ts';

const longestLine = 2000;
const longestBody = 100_000;

/** One line that says what happened. */
export function momentTitle(moment: Moment): Html {
  if (moment.kind === 'state')
    return html`<b>State handler</b> ${moment.line.data.state}
      <code>${shorten(moment.line.data.params, 300)}</code>`;
  if (moment.kind === 'delivery')
    return html`<b>Callback ${moment.id}</b> ${moment.line.request.method} to Gatecheck, answered
      ${moment.line.answer}`;
  const { request, key, enterprise } = moment.line;
  return html`<code>${request.method} ${shorten(targetOf(request.url), 300)}</code>
    <span class="soft">${senderText(key, enterprise)}</span> → <b>${answerText(moment.line)}</b>`;
}

/** The complete request and answer: lines, headers and bodies, with what is wrong marked. */
export function renderMoment(moment: Moment, marks: Marks): Html {
  if (moment.kind === 'state') {
    const { params, error } = moment.line.data;
    return html`${renderBody(params, noMarks)}${error === null ? null : html`<p>It answered: ${error}</p>`}`;
  }
  if (moment.kind === 'delivery') {
    const { request, answer, startedAt } = moment.line;
    return html`${renderMessage('Callback', { ...request, line: `${request.method} ${request.target}` }, marks)}
      <p class="soft">Arrived ${startedAt}; answered ${answer}.</p>`;
  }
  const { request, response, failure, startedAt, durationMs } = moment.line;
  const answered =
    response === null
      ? html`<p>No answer: ${failure?.message ?? 'unknown'}</p>`
      : renderMessage(
          'Answer',
          { ...response, line: `HTTP ${response.status}`, isLineMarked: marks.status },
          marks,
        );
  return html`${renderMessage(
      'Request',
      { ...request, line: `${request.method} ${request.url}` },
      {
        ...noMarks,
        member: marks.request ?? null,
        quoted: marks.quoted ?? null,
      },
    )}${answered}
    <p class="soft">Sent ${startedAt}, answered after ${durationMs} ms.</p>`;
}

interface Message {
  /** What comes before the headers: method and target, or the status. */
  readonly line: string;
  readonly isLineMarked?: boolean;
  readonly headers: Headers;
  readonly body: Parameters<typeof bodyText>[0];
}

function renderMessage(name: string, message: Message, marks: Marks): Html {
  const { line, isLineMarked = false, headers, body } = message;
  const shown = (some: Headers) =>
    some.map(([field, value]) => markable(`${field}: ${value}`, isNamed(field, marks)));
  const rest = headers.filter(([field]) => isQuiet(field));
  const fields = shown(headers.filter(([field]) => !isQuiet(field)));
  return html`<div class="message">
    <p class="part">${name}</p>
    ${preformatted('head', [markable(line, isLineMarked), ...fields])} ${renderBody(bodyText(body), marks)}
    ${
      rest.length === 0
        ? null
        : html`<details class="quiet">
            <summary class="soft">${plural(rest.length, 'more header')}</summary>
            ${preformatted('head', shown(rest))}
          </details>`
    }
  </div>`;
}

/** Headers of the transport, which no rule is about. */
const quiet: ReadonlySet<string> = new Set([
  ...['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'host', 'server'],
  ...['accept-encoding', 'accept-language', 'sec-fetch-mode', 'user-agent', 'via', 'x-powered-by'],
]);

/** Whether no rule is about a header. */
export function isQuiet(field: string): boolean {
  return quiet.has(field.toLowerCase());
}

function renderBody(text: string, { member, value = null, quoted = null }: Marks): Html | null {
  if (text === '') return null;
  const parts = partsOf(withQuoted(bodyLines(shorten(text, longestBody), member, value), quoted));
  return html`<div class="body">
    ${parts.map(({ isAway, lines }) => {
      const shown = html`<pre>${lines.map(({ text: line, marked }) => markable(line, marked))}</pre>`;
      if (!isAway) return shown;
      return html`<details class="away">
        <summary>… ${lines.length} more lines</summary>
        ${shown}
      </details>`;
    })}
  </div>`;
}

/** Lines as they are. */
function preformatted(name: string, lines: readonly Html[]): Html {
  return html`<pre class="${name}">${lines}</pre>`;
}

function isNamed(field: string, { header }: Marks): boolean {
  return field.toLowerCase() === header;
}

function markable(text: string, isMarked: boolean): Html {
  const shown = shorten(text, longestLine);
  return isMarked ? html`<mark>${shown}</mark>` : html`${shown}`;
}

/** A row of the list of exchanges and callbacks. */
export function renderEvidenceRow(
  row: IndexRow,
  place: number,
  { checks, lines, perPage }: PageEvidence,
): Html {
  const [id, atMs, method, target, answer, durationMs, check, violated] = row;
  const whole =
    id in lines
      ? html`<button type="button" data-act="exchange" data-id="${id}" aria-expanded="false">Show</button>`
      : perPage > 0
        ? html`<a href="${evidenceAddress(place, id, perPage)}">whole</a>`
        : null;
  const broken = violated.split(',').filter(Boolean);
  return html`<tr id="evidence-${id}" tabindex="-1">
    <th scope="row">${id}</th>
    <td class="number" data-label="After">${(atMs / 1000).toFixed(3)} s</td>
    <td data-label="Request"><code>${method} ${shorten(target, 200)}</code></td>
    <td data-label="Answer">${answer}</td>
    <td class="number" data-label="Took">${durationMs} ms</td>
    <td data-label="Check">
      <code class="id">${breakable(check < 0 ? '' : (checks[check] ?? ''))}</code>${
        broken.length === 0
          ? null
          : html`<br />breaks ${broken.map((one) => html`<a href="#${one}">${one}</a> `)}`
      }
    </td>
    <td data-label="Whole">${whole}</td>
  </tr>`;
}

/** A complete exchange or callback. */
export function renderEvidenceLine(line: EvidenceLine): Html {
  const at = Date.parse(line.startedAt);
  const moment: Moment =
    line.type === 'exchange'
      ? { kind: 'exchange', at, id: line.id, line }
      : { kind: 'delivery', at, id: line.id, line };
  return renderMoment(moment, noMarks);
}
