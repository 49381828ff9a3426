import type { RunResult } from '../result.ts';
import { headlineOf, isLoad } from '../headline.ts';
import { formatShare } from '../text/format.ts';
import { escapeText } from '../text/xml.ts';

const colours = {
  conformant: ['brightgreen', '#3a8a1f'],
  partial: ['yellowgreen', '#71801a'],
  nonconformant: ['red', '#c33b2d'],
  inconclusive: ['lightgrey', '#6a6a6a'],
} as const;

function labelOf(result: RunResult): string {
  return isLoad(result) ? 'load' : 'conformance';
}

/** `conformant`, `partial 91 %`, `3 failed`; of a load, its gate. */
function messageOf(result: RunResult): string {
  const { verdict, failed, coverage } = result.summary;
  const { gate } = headlineOf(result);
  if (isLoad(result) && failed === 0 && gate !== null) return gate;
  if (verdict === 'nonconformant') return `${failed} failed`;
  if (verdict !== 'partial') return verdict;
  return `partial ${formatShare(coverage.must.judged, coverage.must.total)}`;
}

/** The verdict for the endpoint badge of shields.io. */
export function renderBadgeJson(result: RunResult): string {
  const { tone } = headlineOf(result);
  const [color] = colours[tone];
  const isError = tone === 'nonconformant';
  return `${JSON.stringify({ schemaVersion: 1, label: labelOf(result), message: messageOf(result), color, isError })}\n`;
}

/** The verdict as an image for a README, which loads nothing from elsewhere. */
export function renderBadgeSvg(result: RunResult): string {
  const [label, message] = [labelOf(result), messageOf(result)];
  const [left, right] = [widthOf(label), widthOf(message)];
  const [, colour] = colours[headlineOf(result).tone];
  const title = escapeText(`${label}: ${message}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
  <title>${title}</title>
  <clipPath id="round"><rect width="${left + right}" height="20" rx="3"/></clipPath>
  <g clip-path="url(#round)">
    <rect width="${left}" height="20" fill="#444"/>
    <rect x="${left}" width="${right}" height="20" fill="${colour}"/>
  </g>
  <g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
    <text x="${left / 2}" y="14" textLength="${left - 10}">${escapeText(label)}</text>
    <text x="${left + right / 2}" y="14" textLength="${right - 10}">${escapeText(message)}</text>
  </g>
</svg>
`;
}

/** Width in pixels at 11 px of a wide sans serif, with padding; the text is fitted to it. */
function widthOf(text: string): number {
  return Math.round(text.length * 6.6) + 10;
}
