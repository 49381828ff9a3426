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
