import { sourceText, type Digest } from '../digest.ts';
import { standingOf } from '../standing.ts';
import type { RequirementResult } from '../result.ts';
import { shorten } from '../text/printable.ts';
import { callbacksOf, stepsOf, type Step } from '../steps.ts';
import type { Finding } from '../../engine/finding.ts';
import { html, type Html } from './html.ts';

const longest = 20_000;
const openAtFirst = 5;
const words = { fail: '✗ failed', warn: '! warning', known: '= known' } as const;

/** Every finding with what is needed to understand it and to have it again. */
export function renderFindings({ findings, rules }: Pick<Digest, 'findings' | 'rules'>): Html {
  const cards = findings.map((finding, index) =>
    renderFinding(finding, rules.get(finding.requirement), index < openAtFirst),
  );
  return html`<section id="findings">
    <h2>Findings</h2>
    ${cards.length === 0 ? html`<p class="soft">None.</p>` : cards}
  </section>`;
}

function renderFinding(finding: Finding, rule: RequirementResult | undefined, isEarly: boolean): Html {
  const { reproduce } = finding;
  const standing = standingOf(finding);
  const open = isEarly && standing !== 'known' ? html` open` : null;
  return html`<details class="card finding ${standing}" id="finding-${finding.fingerprint}" ${open}>
    <summary>
      <span class="badge">${words[standing]}</span>
      <h3>${shorten(rule?.title ?? finding.message, 400)}</h3>
      <a href="#${finding.requirement}">${finding.requirement}</a>
    </summary>
    <dl>
      ${
        rule
          ? html`<dt>Rule</dt>
              <dd>${rule.level}, ${sourceText(rule.source)}</dd>`
          : null
      }
      ${block('Expected', finding.expected)} ${block('Actual', finding.actual)}
      ${block('Counterexample', finding.counterexample)} ${renderSteps('Steps', stepsOf(finding))}
      ${renderSteps('Callbacks', callbacksOf(finding))} ${renderLogs(finding.logs ?? [])}
      <dt>Again</dt>
      <dd>
        <pre class="once">${reproduce.command}</pre>
        ${reproduce.curl === null ? null : html`<pre class="once">${shorten(reproduce.curl, longest)}</pre>`}
      </dd>
      <dt>Found by</dt>
      <dd>
        <code>${finding.check}</code>, confirmed ${finding.confirmed}, seed
        ${reproduce.seed}${reproduce.path === null ? null : html`, path <code>${reproduce.path}</code>`}
      </dd>
      <dt>Fingerprint</dt>
      <dd><code class="once">${finding.fingerprint}</code></dd>
      ${
        finding.exchanges.length === 0
          ? null
          : html`<dt>Evidence</dt>
              <dd>${shorten(finding.exchanges.join(', '), 400)}</dd>`
      }
    </dl>
  </details>`;
}

/** What was sent and answered, in order; bodies are folded away. */
function renderSteps(term: string, steps: readonly Step[]): Html | null {
  if (steps.length === 0) return null;
  const items = steps.map(({ line, body }) =>
    body === null
      ? html`<li><code>${shorten(line, 400)}</code></li>`
      : html`<li>
          <details>
            <summary><code>${shorten(line, 400)}</code></summary>
            <pre>${shorten(body, longest)}</pre>
          </details>
        </li>`,
  );
  return html`<dt>${term}</dt>
    <dd>
      <ol class="steps">
        ${items}
      </ol>
    </dd>`;
}

function renderLogs(lines: NonNullable<Finding['logs']>): Html | null {
  if (lines.length === 0) return null;
  const text = lines.map(({ at, container, text: line }) => `${at.slice(11, 23)}  ${container}  ${line}`);
  return block('Container log', text.join('\n'));
}

function block(term: string, text: string | null): Html | null {
  return text === null
    ? null
    : html`<dt>${term}</dt>
        <dd><pre>${shorten(text, longest)}</pre></dd>`;
}
