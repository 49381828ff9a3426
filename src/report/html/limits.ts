import type { LimitsResult } from '../result.ts';
import { shorten } from '../text/printable.ts';
import { html, type Html } from './html.ts';
import { withLinks } from '../page/ruleView.ts';
import { renderTimeline } from './timeline.ts';

/** What the limit checks found: the timelines, the limiter models that fit, and anything else in the result. */
export function renderLimits({ limiters = [], models = [], timelines = [], ...rest }: LimitsResult): Html {
  return html`<section id="limits">
    <h2>Rate limits</h2>
    <div class="card">
      ${limiters.map(renderLimiter)} ${renderTimelines(timelines, limiters)}
      ${
        models.length === 0
          ? null
          : html`<details>
              <summary>Limiter models</summary>
              <dl>${models.map(renderModel)}</dl>
            </details>`
      }
      ${Object.keys(rest).length === 0 ? null : html`<dl>${Object.entries(rest).map(renderRest)}</dl>`}
    </div>
  </section>`;
}

/** The requests of each key against the limit; folded where the limits are as documented. */
function renderTimelines(
  timelines: NonNullable<LimitsResult['timelines']>,
  limiters: readonly Limiter[],
): Html | null {
  if (timelines.length === 0) return null;
  const isDocumented = limiters.length > 0 && limiters.every(({ documented }) => documented);
  return html`<details ${isDocumented ? null : html`open`}>
    <summary>Requests over time</summary>
    ${timelines.map(renderTimeline)}
  </details>`;
}

/** The limiter's name, and what contradicts the documented one. */
function renderLimiter({ title, name, like, documented, contradictions, notTried }: Limiter): Html {
  const badge = documented
    ? html`<span class="badge pass">✓ as documented</span>`
    : html`<span class="badge fail">✗ not as documented</span>`;
  const against =
    contradictions.length === 0 ? null : html`<p>${withLinks(shorten(contradictions.join('; '), 2000))}</p>`;
  const untried = notTried.length === 0 ? null : html`<p class="soft">Not tried: ${notTried.join('; ')}.</p>`;
  return html`<h3>${title}: ${name} ${badge}</h3>
    ${against}${like === undefined ? null : html`<p>Works like ${like}.</p>`}${untried}`;
}

type Limiter = NonNullable<LimitsResult['limiters']>[number];

function renderModel({ name, fits, contradictions }: NonNullable<LimitsResult['models']>[number]): Html {
  const against =
    contradictions.length === 0
      ? null
      : html`<br /><span class="soft">${shorten(contradictions.join('; '), 600)}</span>`;
  const badge = fits
    ? html`<span class="badge pass">✓ fits</span>`
    : html`<span class="badge skipped">– does not fit</span>`;
  return html`<dt>${name}</dt>
    <dd>${badge}${against}</dd>`;
}

function renderRest([name, value]: [string, unknown]): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return html`<dt>${name}</dt>
    <dd>${text.includes('\n') ? html`<pre>${shorten(text, 20_000)}</pre>` : shorten(text, 600)}</dd>`;
}
