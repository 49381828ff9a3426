import { brokenLimitRules, limitersOf, limitsVerdict, type ShownLimiter } from '../limiters.ts';
import type { LimitsResult, RunResult } from '../result.ts';
import { stateTexts } from '../states.ts';
import { plural } from '../text/format.ts';
import { shorten } from '../text/printable.ts';
import { html, type Html } from './html.ts';
import { withLinks } from '../page/ruleView.ts';
import { renderTimeline } from './timeline.ts';

type Timelines = NonNullable<LimitsResult['timelines']>;

/** What the limit checks found: each limiter with its plots, the limiter models that fit, and anything else in the result. */
export function renderLimits(
  result: Pick<RunResult, 'limits' | 'findings' | 'requirements'>,
  hasEvidence: boolean,
): Html {
  const { limiters: _named, models = [], timelines = [], ...rest } = result.limits ?? {};
  const limiters = limitersOf(result);
  const { state, text } = limitsVerdict(result);
  const broken = brokenLimitRules(result);
  const ofLimiter = (title: string) => timelines.filter((one) => isOf(one, title));
  const others = timelines.filter((one) => limiters.every(({ title }) => !isOf(one, title)));
  return html`<section id="limits" tabindex="-1">
    <h2>${state === null ? '' : `${stateTexts[state].mark} `}${text}</h2>
    <div class="card">
      ${broken.length === 0 ? null : html`<p>Rules of the limits that fail: ${broken.map((id) => html`<a href="#${id}">${id}</a> `)}</p>`}
      ${limiters.map((limiter) => renderLimiter(limiter, ofLimiter(limiter.title), hasEvidence))}
      ${renderPlots(others)}
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

function isOf(timeline: Timelines[number], title: string): boolean {
  return timeline.title === title || timeline.title.startsWith(`${title}, `);
}

/** Number of plots of a limiter that are shown at once; one for each key is too many. */
const mostOpen = 2;

/** Those that were refused something first. */
function renderPlots(timelines: Timelines): Html | null {
  if (timelines.length === 0) return null;
  const refused = ({ requests }: Timelines[number]) => requests.filter(({ admitted }) => !admitted).length;
  const sorted = timelines.toSorted((one, other) => Number(refused(other) > 0) - Number(refused(one) > 0));
  const rest = sorted.slice(mostOpen);
  return html`${sorted.slice(0, mostOpen).map(renderTimeline)}
  ${
    rest.length === 0
      ? null
      : html`<details>
          <summary>${plural(rest.length, 'other key')}</summary>
          ${rest.map(renderTimeline)}
        </details>`
  }`;
}

/** The limiter's name, what contradicts the documented one, and the requests of its keys against the limit. */
function renderLimiter(
  { title, name, like, state, verdict, contradictions, notTried }: ShownLimiter,
  timelines: Timelines,
  hasEvidence: boolean,
): Html {
  const { mark } = stateTexts[state];
  const [sign, badge] =
    verdict === '' ? [`${mark} `, null] : ['', html`<span class="badge ${state}">${mark} ${verdict}</span>`];
  const against =
    contradictions.length === 0
      ? null
      : html`<p>${withLinks(shorten(contradictions.join('; '), 2000), { hasEvidence })}</p>`;
  const untried =
    notTried.length === 0
      ? null
      : html`<details>
          <summary class="soft">${plural(notTried.length, 'variant')} not told apart from it</summary>
          <ul>
            ${notTried.map((text) => html`<li>${text}</li>`)}
          </ul>
        </details>`;
  return html`<h3>${sign}${title}: ${name} ${badge}</h3>
    ${against}${like === undefined ? null : html`<p>Works like ${like}.</p>`}${renderPlots(timelines)}${untried}`;
}

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
