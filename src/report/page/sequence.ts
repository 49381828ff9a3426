import { html, type Html } from '../html/html.ts';
import { changedPaths, valuesAt } from './changes.ts';
import type { MomentGroup } from './grouped.ts';
import { targetOf, type Moment } from './moments.ts';

const laneWidth = 250;
const rowHeight = 30;
const top = 34;
/** Most arrows that are drawn: the first few, and those before the end. */
const mostArrows = 16;
const firstArrows = 4;
/** For fewer, the list of steps is enough. */
const fewestSteps = 3;

interface Arrow {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly tone: 'fail' | 'calm';
  readonly isMissing?: boolean;
}

/**
 * Who communicated with whom, if there were more than Gatecheck and the target; otherwise a drawing is not worth it. A callback that
 * was due and did not come is the last arrow.
 */
export function renderSequence(groups: readonly MomentGroup[], isUntold = false): Html | null {
  const moments = groups.map((group) => group.moments[0]);
  if (groups.length < fewestSteps) return null;
  const hasStates = moments.some(({ kind }) => kind === 'state');
  const hasDeliveries = isUntold || moments.some(({ kind }) => kind === 'delivery');
  if (!hasStates && !hasDeliveries) return null;
  const lanes = [
    'Gatecheck',
    'Target',
    ...(hasStates ? ['State handler'] : []),
    ...(hasDeliveries ? ['Callback address'] : []),
  ];
  // Setting and callback show the same values, so that one sees what a callback results from.
  const paths = changedPaths(moments);
  const missing: Arrow = {
    from: 1,
    to: lanes.length - 1,
    text: 'no callback came',
    tone: 'fail',
    isMissing: true,
  };
  const all = [...groups.flatMap((group) => arrowsOf(group, lanes, paths)), ...(isUntold ? [missing] : [])];
  const left = all.length - mostArrows;
  const arrows = left > 0 ? [...all.slice(0, firstArrows), null, ...all.slice(firstArrows + left)] : all;
  const height = top + arrows.length * rowHeight + 14;
  const label = `Sequence: ${moments.slice(0, 12).map(tellMoment).join('; ')}`;
  return html`<div class="sequence" tabindex="0" role="region" aria-label="Sequence diagram">
    <svg
      viewBox="0 0 ${lanes.length * laneWidth} ${height}"
      width="${lanes.length * laneWidth}"
      role="img"
      aria-label="${label}"
    >
      ${lanes.map(
        (name, lane) =>
          html`<text class="lane" x="${laneAt(lane)}" y="18" text-anchor="middle">${name}</text>
            <path class="life" d="M${laneAt(lane)} 26V${height - 4}" />`,
      )}
      ${arrows.map((arrow, row) => {
        const y = top + row * rowHeight + 18;
        if (arrow !== null) return drawArrow(arrow, y);
        return html`<text x="${laneWidth}" y="${y}" text-anchor="middle">… ${left} more …</text>`;
      })}
    </svg>
  </div>`;
}

function laneAt(lane: number): number {
  return laneWidth / 2 + lane * laneWidth;
}

function drawArrow(arrow: Arrow, y: number): Html {
  const [from, to] = [laneAt(arrow.from), laneAt(arrow.to)];
  const side = to > from ? -1 : 1;
  const leftLane = Math.min(arrow.from, arrow.to);
  return html`<g class="arrow ${arrow.tone}${arrow.isMissing === true ? ' missing' : ''}">
    <path d="M${from} ${y}H${to + side * 7}" />
    <path class="head" d="M${to} ${y}l${side * 8} -4v8z" />
    <text x="${(laneAt(leftLane) + laneAt(leftLane + 1)) / 2}" y="${y - 5}" text-anchor="middle"
      >${cut(arrow.text)}</text
    >
  </g>`;
}

function arrowsOf(
  { moments, isDecisive }: MomentGroup,
  lanes: readonly string[],
  paths: readonly string[],
): Arrow[] {
  const [moment] = moments;
  const tone = isDecisive ? 'fail' : 'calm';
  const told = (name: string) => `${name} ${moments.length > 1 ? '' : valuesAt(moment, paths)}`.trimEnd();
  const times = moments.length > 1 ? `${moments.length} × ` : '';
  if (moment.kind === 'state')
    return [
      { from: 0, to: lanes.indexOf('State handler'), text: `${times}${told(moment.line.data.state)}`, tone },
    ];
  if (moment.kind === 'delivery')
    return [
      {
        from: 1,
        to: lanes.indexOf('Callback address'),
        text: `${times}${told(`${moment.id} callback`)}`,
        tone,
      },
    ];
  const { request, response } = moment.line;
  const name = /[^/]*(?:\?.*)?$/s.exec(targetOf(request.url))?.[0] ?? '';
  return [
    { from: 0, to: 1, text: `${times}${moment.id} ${request.method} ${name}`, tone: 'calm' },
    { from: 1, to: 0, text: response === null ? 'no answer' : String(response.status), tone },
  ];
}

function tellMoment(moment: Moment): string {
  if (moment.kind === 'state') return `state ${moment.line.data.state}`;
  if (moment.kind === 'delivery') return `callback ${moment.id}`;
  return `${moment.line.request.method} ${targetOf(moment.line.request.url)} answered ${moment.line.response?.status ?? 'nothing'}`;
}

function cut(text: string): string {
  return text.length > 34 ? `${text.slice(0, 33)}…` : text;
}
