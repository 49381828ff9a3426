import { html, type Html } from '../html/html.ts';
import { shorten, oneLine } from '../text/printable.ts';
import type { Contrast, Spread } from './pageData.ts';

/** A part of a text, and whether it differs from the other text. */
export interface TextPart {
  readonly text: string;
  readonly differs: boolean;
}

/** Number of characters kept around a difference of long texts. */
const around = 48;
const long = 160;
/** Longer texts are not compared. */
const comparable = 100_000;

/** Splits two texts into parts; equal parts stay unmarked, and of long texts only the surroundings of the difference are kept. */
export function difference(
  expected: string,
  actual: string,
): readonly [readonly TextPart[], readonly TextPart[]] {
  if (expected.length > comparable || actual.length > comparable) return [whole(expected), whole(actual)];
  const [one, other] = [tokensOf(expected), tokensOf(actual)];
  const before = commonLength(one, other);
  const after = commonLength(one.slice(before).reverse(), other.slice(before).reverse());
  const [left, right] = [middleOf(one, before, after), middleOf(other, before, after)];
  const start = one.slice(0, before).join('');
  const end = after === 0 ? '' : one.slice(-after).join('');
  if (!isAlike(start + end, expected, actual)) return byCharacters(expected, actual);
  // Within one word, characters are compared, so that a lost zero or a wrong digit shows.
  const isWord = left.length <= 1 && right.length <= 1 && (left[0] ?? right[0] ?? '').length > 3;
  const within = isWord ? commonEnds(left.join(''), right.join('')) : { start: 0, end: 0 };
  return [
    partsOf(expected, start.length + within.start, end.length + within.end),
    partsOf(actual, start.length + within.start, end.length + within.end),
  ];
}

/** If one text is cut within a word, comparing characters finds the position. */
function byCharacters(expected: string, actual: string): ReturnType<typeof difference> {
  const { start, end } = commonEnds(expected, actual);
  if (start < 12 || start * 2 < Math.min(expected.length, actual.length))
    return [whole(expected), whole(actual)];
  return [partsOf(expected, start, end), partsOf(actual, start, end)];
}

function tokensOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function middleOf(tokens: readonly string[], before: number, after: number): readonly string[] {
  return tokens.slice(before, tokens.length - after);
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  return length;
}

function commonEnds(one: string, other: string): { start: number; end: number } {
  const [before, after] = [Array.from(one), Array.from(other)];
  const start = commonLength(before, after);
  const end = commonLength(before.slice(start).reverse(), after.slice(start).reverse());
  if (start + end < Math.min(before.length, after.length) / 2) return { start: 0, end: 0 };
  const lengthOf = (characters: readonly string[]) => characters.join('').length;
  return {
    start: lengthOf(before.slice(0, start)),
    end: end === 0 ? 0 : lengthOf(before.slice(-end)),
  };
}

/** Whether two sentences are similar enough to mark their differences. */
function isAlike(common: string, expected: string, actual: string): boolean {
  return common.trim().length >= 3 && common.length * 5 >= Math.min(expected.length, actual.length);
}

function whole(text: string): readonly TextPart[] {
  return [{ text: text.length > 4 * long ? `${text.slice(0, 4 * long)}…` : text, differs: false }];
}

function partsOf(text: string, start: number, end: number): readonly TextPart[] {
  const stop = Math.max(start, text.length - end);
  const head = text.slice(0, start);
  const tail = text.slice(stop);
  const middle = text.slice(start, stop);
  const isLong = text.length > long;
  return [
    { text: isLong && head.length > around ? `…${head.slice(-around)}` : head, differs: false },
    { text: middle.length > 4 * long ? `${middle.slice(0, 4 * long)}…` : middle || '‸', differs: true },
    { text: isLong && tail.length > around ? `${tail.slice(0, around)}…` : tail, differs: false },
  ].filter(({ text: part }) => part !== '');
}

/** The similar request that was answered correctly, and what differs in the one of the finding. */
export function renderContrast(contrast: Contrast | undefined): Html | null {
  if (contrast === undefined) return null;
  const { id, check, answer, differences, more } = contrast;
  const value = (text: string | null) =>
    text === null ? html`<span class="soft">absent</span>` : html`<code>${shorten(text, 120)}</code>`;
  return html`<h4>A similar request that was answered correctly</h4>
    <p>
      The most alike request of this run, <a href="#evidence/${id}">${id}</a>
      <span class="soft">(${check})</span>, got <b>${answer}</b>.
      ${differences.length === 0 ? 'It differs only in values that are new in each request: what was done before decides.' : 'It differs in:'}
    </p>
    ${
      differences.length === 0
        ? null
        : html`<ul class="contrast">
            ${differences.map(
              ({ member, here, there }) =>
                html`<li>
                  <b>${shorten(member, 120)}</b>: this request ${value(here)}, that one ${value(there)}
                </li>`,
            )}
            ${more === 0 ? null : html`<li class="soft">and ${more} more</li>`}
          </ul>`
    }`;
}

/** The same on one line. */
export function contrastText({ id, answer, differences, more }: Contrast): string {
  const value = (text: string | null) => (text === null ? 'absent' : shorten(text, 60));
  const told = differences
    .slice(0, 3)
    .map(({ member, here, there }) => `${shorten(member, 60)} ${value(there)} (here ${value(here)})`);
  const rest = differences.length - told.length + more;
  const all = rest > 0 ? [...told, `${rest} more`] : told;
  return `${id} got ${answer}${all.length === 0 ? ' for the same, after other requests' : ` with ${all.join(', ')}`}`;
}

const mostKinds = 5;

/** Which answers break a requirement and which do not, in words; null if that is not informative. */
export function spreadText(spread: readonly Spread[] | undefined): string | null {
  if (spread === undefined) return null;
  const [broken, sound] = [spread.filter((one) => one.broken > 0), spread.filter((one) => one.broken === 0)];
  if (broken.length === 0) return null;
  // If only some answers of a kind break it, it means nothing that other kinds do not.
  const isWhole = broken.every((one) => one.broken * 10 >= one.total * 9);
  const told = (kinds: readonly Spread[]) => {
    const shown = kinds.slice(0, mostKinds).map(tellKind);
    const rest = kinds.length - shown.length;
    return [...shown, ...(rest > 0 ? [`${rest} more kinds`] : [])].join(', ');
  };
  return `${told(broken)}${sound.length === 0 || !isWhole ? '' : `; not in ${told(sound)}`}`;
}

function tellKind({ operation, status, broken, total }: Spread): string {
  const name = oneLine(shorten([operation, status].filter(Boolean).join(' '), 80));
  return `${name} (${broken} of ${total})`;
}
